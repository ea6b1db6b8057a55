import Downloader
import Glibc
import Synchronization

/// Downloads a list of addresses: `DownloadBenchmark FOLDER PARALLEL [no-progress] < ADDRESSES`.
@main
struct DownloadBenchmark {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count >= 3, let width = Int(words[2]) else {
            print("usage: DownloadBenchmark FOLDER PARALLEL [no-progress] < ADDRESSES")
            exit(2)
        }
        var addresses: [String] = []
        while let line = readLine() { addresses.append(line) }
        var configuration = TransferConfiguration()
        if words.contains("no-progress") { configuration.progressInterval = .seconds(3600) }
        let loop = try TransferLoop(configuration)
        let failures = try await download(addresses, on: loop, into: words[1], width: width)
        print("failures \(failures)")
        exit(failures == 0 ? 0 : 1)
    }

    /// Keeps so many downloads under way until all are done; returns how many failed.
    static func download(
        _ addresses: [String], on loop: TransferLoop, into folder: String, width: Int
    ) async throws -> Int {
        let resumeFolder = ResumeFolder(path: folder + "/resume")
        try resumeFolder.prepare()
        let (lines, free) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<width { free.yield() }
        let failures = FailureCount()
        await withDiscardingTaskGroup { group in
            var next = 0
            // The files that are on their way into the library need no line.
            for await _ in lines {
                guard next < addresses.count else { break }
                let request = DownloadRequest(
                    key: "\(next)", url: addresses[next], resumeFolder: resumeFolder,
                    targetFolder: folder + "/library", fileStem: "\(next)")
                next += 1
                group.addTask {
                    if await !run(request, on: loop, free: { free.yield() }) {
                        failures.count.add(1, ordering: .relaxed)
                    }
                }
            }
        }
        return failures.count.load(ordering: .relaxed)
    }

    /// Follows one download; `free` is called once, when it needs its line no more.
    static func run(
        _ request: DownloadRequest, on loop: TransferLoop, free: @Sendable () -> Void
    ) async -> Bool {
        var isFree = false
        var isDone = false
        for await event in loop.download(request) {
            switch event {
            case .received:
                isFree = true
                free()
            case .finished(let file):
                try? request.resumeFolder.remove(request.key, mayHaveRecord: file.hasRecord)
                isDone = true
            case .failed(let failure):
                print(failure.error)
            case .started, .progress, .waiting, .paused: break
            }
        }
        if !isFree { free() }
        return isDone
    }
}

/// How many downloads failed, counted by several tasks.
private final class FailureCount: Sendable {
    let count = Atomic(0)
}
