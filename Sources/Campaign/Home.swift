import Foundation
import Synchronization

/// A home folder of its own for `podget`, gone with the object.
final class Home: Sendable {
    let path: String
    private let podget: String

    init(podget: String) throws {
        self.podget = podget
        let name = "podget-campaign-" + UUID().uuidString
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: name)
        path = folder.standardizedFileURL.path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var library: String { path + "/Podcasts" }
    var cache: String { path + "/cache" }
    var data: String { path + "/data" }

    /// What became of one run.
    struct Outcome {
        /// The exit code, or minus the signal.
        var code: Int32
        var output: String
        var errors: String
    }

    /// Runs `podget` to its end, or ends it with a signal after a while.
    @discardableResult
    func run(_ words: String..., signal: Int32 = SIGKILL, after delay: Duration? = nil) throws -> Outcome {
        try run(words, signal: signal, after: delay)
    }

    func run(_ words: [String], signal: Int32 = SIGKILL, after delay: Duration? = nil) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: podget)
        process.arguments = words
        process.environment = ["PODGET_HOME": path, "HOME": path, "LANG": "C", "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let errorText = Mutex("")
        let reader = Thread {
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            errorText.withLock { $0 = text }
            ended.signal()
        }
        let outputText = Mutex("")
        let outputReader = Thread {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            outputText.withLock { $0 = text }
            ended.signal()
        }
        reader.start()
        outputReader.start()
        var parts = 3
        if let delay {
            let milliseconds = Int(delay / .milliseconds(1))
            // Each part that ended in time is one to wait for less.
            while parts > 0, ended.wait(timeout: .now() + .milliseconds(milliseconds)) == .success {
                parts -= 1
            }
            if parts > 0 { kill(process.processIdentifier, signal) }
        }
        for _ in 0..<parts { ended.wait() }
        // Not left to the end of the objects: thousands of runs would use up the descriptors.
        for pipe in [output, errors] {
            try pipe.fileHandleForReading.close()
            try pipe.fileHandleForWriting.close()
        }
        let isSignal = process.terminationReason == .uncaughtSignal
        return Outcome(
            code: isSignal ? -process.terminationStatus : process.terminationStatus,
            output: outputText.withLock { $0 }, errors: errorText.withLock { $0 })
    }

    struct Episode: Decodable {
        var title: String
        var state: String
        var file: String?
        var bytes: Int64?
    }

    func episodes() throws -> [Episode] {
        let outcome = try run("episodes", "--json", "--limit", "100000")
        guard outcome.code == 0 else { throw Mistake("podget episodes: \(outcome.errors)") }
        return try JSONDecoder().decode([Episode].self, from: Data(outcome.output.utf8))
    }

    /// Every file of the library but the playlists, hidden ones included.
    func mediaFiles() -> [String] {
        let names = FileManager.default.enumerator(atPath: library)?.allObjects as? [String] ?? []
        return names.map { library + "/" + $0 }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && !path.hasSuffix(".m3u8")
        }
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }
}
