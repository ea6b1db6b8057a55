import Downloader
import EpisodeStore
import FeedParser
import Synchronization

/// The extras of one download as they come in.
struct ExtrasWork {
    var extras: OfflineExtras

    /// Whether something may still come in another run.
    private(set) var isUnfinished = false

    /// Whether a server was asked that gave no answer.
    private(set) var isUnanswered = false

    /// Whether nothing but an installed program is missing to look into the file.
    private(set) var isFileUnread = false
    private var isFileStuck = false

    /// Whether all was tried that may not be tried for ever.
    var isAttempt: Bool { !isUnfinished || isUnanswered || isFileStuck }
    private(set) var problems: [String] = []

    private static let documentLimit = 16 << 20

    init(extras: OfflineExtras) {
        self.extras = extras
    }

    /// What the file says of itself; nothing where it is gone or cannot be read.
    mutating func readFile(at path: String?, with files: FileReader) async -> FileContent {
        var content = FileContent()
        guard let path else { return content }
        switch await files.read(path) {
        case .tags(let tags):
            content.container = tags.container
            content.codec = tags.codec
            content.duration = tags.duration
            content.chapters = tags.chapters
        case .unreadable: break
        case .notInstalled: isFileUnread = true
        case .ended(let reason):
            isUnfinished = true
            isFileStuck = true
            problems.append("the file cannot be looked into: \(reason)")
        }
        return content
    }

    mutating func fetchChapters(_ link: String, with fetch: ExtrasFetch) async {
        guard let fetched = await self.fetch(link, "chapters", byteLimit: Self.documentLimit, with: fetch)
        else {
            return
        }
        do throws(FeedError) {
            extras.chapters = try readChapters(
                fetched.bytes, contentType: fetched.contentType, baseURL: fetched.url
            ).map(EpisodeStore.Chapter.init)
            extras.settledLinks.append(link)
        } catch {
            refuse(link, "chapters", "\(error)")
        }
    }

    /// Returns whether there is a transcript now that no other link may better.
    mutating func fetchTranscript(_ source: TranscriptLink, with fetch: ExtrasFetch) async -> Bool {
        let link = source.url
        guard let fetched = await self.fetch(link, "transcript", byteLimit: Self.documentLimit, with: fetch)
        else { return false }
        do throws(FeedError) {
            var limits = ParserLimits()
            let segmentLimit = limits.segmentCount
            limits.segmentCount += 1
            let segments = try readTranscript(
                fetched.bytes, contentType: fetched.contentType, limits: limits)
            guard !segments.isEmpty else {
                refuse(link, "transcript", "it holds no words")
                return false
            }
            let form = TranscriptForm(source)
            let content = sniffContent(fetched.bytes)
            guard form == .html || form == .unknown || content != .refused(.webPage) else {
                refuse(link, "transcript", "it is a web page")
                return false
            }
            guard !form.isTimed || content != .refused(.xml) || segments.contains(where: { $0.start != nil })
            else {
                refuse(link, "transcript", "it holds no words")
                return false
            }
            // What has no times though its link says so is kept as long as nothing better comes.
            let isAsTold = !form.isTimed || segments.contains { $0.start != nil }
            guard isAsTold || extras.transcript.isEmpty else {
                extras.settledLinks.append(link)
                return false
            }
            if segments.count > segmentLimit {
                problems.append("the transcript is stored up to its first \(segmentLimit) segments")
            }
            extras.transcript = segments.prefix(segmentLimit).map(EpisodeStore.TranscriptSegment.init)
            extras.settledLinks.append(link)
            return isAsTold
        } catch {
            refuse(link, "transcript", "\(error)")
            return false
        }
    }

    mutating func fetch(
        _ link: String, _ noun: String, byteLimit: Int, with fetch: ExtrasFetch
    ) async -> ExtrasFetch.Fetched? {
        switch await fetch.get(link, byteLimit: byteLimit) {
        case .fetched(let fetched): return fetched
        case .refused(let reason): refuse(link, noun, reason)
        case .later(let reason):
            isUnfinished = true
            isUnanswered = isUnanswered || reason != nil
            if let reason { problems.append("the \(noun) cannot be fetched: \(reason)") }
        }
        return nil
    }

    /// Gives a link up for good.
    mutating func refuse(_ link: String, _ noun: String, _ reason: String) {
        extras.settledLinks.append(link)
        problems.append("the \(noun) cannot be stored: \(reason)")
    }
}

/// Reads files as long as there is a program for it, and tells once where there is none.
final class FileReader: Sendable {
    private let reader: MediaTagReader
    private let report: SyncReport
    private let isAbsent = Mutex(false)

    init(reader: MediaTagReader, report: @escaping SyncReport) {
        self.reader = reader
        self.report = report
    }

    func read(_ path: String) async -> MediaTagReader.Outcome {
        guard !isAbsent.withLock({ $0 }) else { return .notInstalled }
        let outcome = await reader.read(path)
        if case .notInstalled = outcome {
            let isNews = isAbsent.withLock { isAbsent in
                defer { isAbsent = true }
                return !isAbsent
            }
            if isNews {
                let program = reader.missingProgram
                report(.note("\(program) cannot be run; chapters inside files are not looked at"))
            }
        }
        return outcome
    }
}
