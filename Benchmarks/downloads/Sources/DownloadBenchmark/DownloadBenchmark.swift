import Downloader
import Glibc

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
        return await withTaskGroup(of: Bool.self) { group in
            var next = 0
            var failures = 0
            func start() {
                guard next < addresses.count else { return }
                let request = DownloadRequest(
                    key: "\(next)", url: addresses[next], resumeFolder: resumeFolder,
                    targetFolder: folder + "/library", fileStem: "\(next)")
                next += 1
                group.addTask { await run(request, on: loop) }
            }
            for _ in 0..<width { start() }
            for await isDone in group {
                if !isDone { failures += 1 }
                start()
            }
            return failures
        }
    }

    static func run(_ request: DownloadRequest, on loop: TransferLoop) async -> Bool {
        for await event in loop.download(request) {
            if case .finished = event {
                try? request.resumeFolder.remove(request.key)
                return true
            }
            if case .failed(let failure) = event { print(failure.error) }
        }
        return false
    }
}
