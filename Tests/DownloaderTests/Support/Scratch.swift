import Downloader
import Foundation
import TestServer

/// A folder of its own for one test, with a resume folder and a library in it; removed with the object.
final class Scratch: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "podget-test-\(UUID().uuidString)")
        path = folder.path
        try FileManager.default.createDirectory(atPath: path + "/library", withIntermediateDirectories: true)
        try resumeFolder.prepare()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var resumeFolder: ResumeFolder { ResumeFolder(path: path + "/resume") }
    var library: String { path + "/library" }

    func request(_ url: String, key: String = "1") -> DownloadRequest {
        DownloadRequest(
            key: key, url: url, resumeFolder: resumeFolder, targetFolder: library, fileStem: "episode \(key)")
    }

    var libraryFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []).sorted()
    }

    func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}

extension TransferConfiguration {
    /// Pauses short enough for tests; the order of things is the same.
    static var quick: TransferConfiguration {
        var configuration = TransferConfiguration()
        configuration.retry.firstDelay = .milliseconds(1)
        configuration.retry.maximumDelay = .milliseconds(5)
        configuration.retry.maximumProbeDelay = .milliseconds(50)
        configuration.progressInterval = .milliseconds(1)
        // A slow machine must not turn a server that stalls into one that is asked again.
        configuration.lowSpeedTime = .seconds(600)
        return configuration
    }
}

/// All that one download told.
struct Story {
    var starts: [StartedDownload] = []
    var waits: [WaitReason] = []
    var progress: [TransferProgress] = []
    /// How many events came before the one that told that all bytes are here; nil where none did.
    var eventCountBeforeReceived: Int?
    private var eventCount = 0
    var finished: FinishedDownload?
    var failure: DownloadFailure?
    var paused: (byteCount: Int64, hasResume: Bool)?

    init(_ events: DownloadEvents) async {
        for await event in events { add(event) }
    }

    init(_ events: [DownloadEvent]) {
        for event in events { add(event) }
    }

    private mutating func add(_ event: DownloadEvent) {
        defer { eventCount += 1 }
        switch event {
        case .received: eventCountBeforeReceived = eventCount
        case .started(let start): starts.append(start)
        case .progress(let value): progress.append(value)
        case .waiting(let reason, _): waits.append(reason)
        case .finished(let value): finished = value
        case .failed(let value): failure = value
        case .paused(let byteCount, let hasResume): paused = (byteCount, hasResume)
        }
    }
}

extension TransferLoop {
    func run(_ request: DownloadRequest) async -> Story {
        await Story(download(request))
    }
}
