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

    func run(
        _ words: [String], signal: Int32 = SIGKILL, after delay: Duration? = nil,
        variables: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: podget)
        process.arguments = words
        process.environment = ["PODGET_HOME": path, "HOME": path, "LANG": "C", "PATH": "/usr/bin:/bin"]
            .merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        let end = DispatchGroup()
        end.enter()
        process.terminationHandler = { _ in end.leave() }
        try process.run()
        let outputText = read(output, until: end)
        let errorText = read(errors, until: end)
        if let delay, end.wait(timeout: .now() + .milliseconds(Int(delay / .milliseconds(1)))) == .timedOut {
            kill(process.processIdentifier, signal)
        }
        end.wait()
        // Not left to the end of the objects: thousands of runs would use up the descriptors.
        for pipe in [output, errors] {
            try pipe.fileHandleForReading.close()
            try pipe.fileHandleForWriting.close()
        }
        let isSignal = process.terminationReason == .uncaughtSignal
        return Outcome(
            code: isSignal ? -process.terminationStatus : process.terminationStatus,
            output: outputText.text, errors: errorText.text)
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

/// What a program printed.
private final class PrintedText: Sendable {
    private let state = Mutex("")

    var text: String {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Reads a pipe to its end on a thread of its own, as one part of what `end` waits for.
private func read(_ pipe: Pipe, until end: DispatchGroup) -> PrintedText {
    let printed = PrintedText()
    end.enter()
    Thread.detachNewThread {
        printed.text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        end.leave()
    }
    return printed
}
