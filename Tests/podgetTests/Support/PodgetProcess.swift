import Foundation

/// The real program, running as a process of its own.
final class PodgetProcess {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var unread = Data()

    /// Starts `podget` from the build folder of these tests.
    init(_ words: [String], home: String) throws {
        let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = build.appending(path: "podget")
        process.arguments = words
        process.environment = ["PODGET_HOME": home, "HOME": home, "LANG": "C"]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    var id: Int32 { process.processIdentifier }

    /// Reads the output line by line until one fits; nil where the output ends before.
    func line(where fits: (String) -> Bool) -> String? {
        while true {
            while let end = unread.firstIndex(of: 0x0A) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = unread[unread.index(after: end)...]
                if fits(line) { return line }
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread = Data(unread) + more
        }
    }

    func send(_ signal: Int32) {
        kill(id, signal)
    }

    /// Waits for the end and gives the exit code, or minus the signal that ended it.
    func wait() -> Int32 {
        // The pipe must not fill up while we wait.
        _ = line { _ in false }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
            ? -process.terminationStatus : process.terminationStatus
    }

    func closeOutput() throws {
        try output.fileHandleForReading.close()
    }

    func errorText() -> String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
