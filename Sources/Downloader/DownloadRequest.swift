/// One file to download, with resume.
public struct DownloadRequest: Sendable {
    /// The caller's name for the download, and the base name of its files in the resume folder.
    public var key: String
    /// The enclosure's original address: every attempt starts there.
    public var url: String
    public var resumeFolder: ResumeFolder
    public var targetFolder: String
    /// The name reserved for the file, without extension.
    public var fileStem: String
    /// What the feed says or what was computed from duration; shown, never a judge.
    public var estimatedByteCount: Int64?
    /// What an earlier run learned; with `fileExtension` it finds a file published just before a crash.
    public var exactByteCount: Int64?
    public var fileExtension: String?
    /// The feed's type of the enclosure, used only where nothing else says.
    public var declaredType: String?
    public var byteLimit: Int64?
    /// Digests that the finished file must have.
    public var integrity: [Integrity] = []
    public var userAgent: String?
    public var credentials: Credentials?
    /// The folder of a feed that is itself a local file: `file:` is allowed for regular files in or below it.
    public var localFolder: String?

    public init(key: String, url: String, resumeFolder: ResumeFolder, targetFolder: String, fileStem: String)
    {
        self.key = key
        self.url = url
        self.resumeFolder = resumeFolder
        self.targetFolder = targetFolder
        self.fileStem = fileStem
    }
}
