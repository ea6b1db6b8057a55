/// The folder of partial files and their resume records.
public struct ResumeFolder: Sendable, Equatable {
    public let path: String

    public init(path: String) {
        self.path = path
    }
}
