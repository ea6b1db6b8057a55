import Foundation
import Synchronization

/// The real program, running as a process of its own.
///
/// Nothing here blocks the threads that run tests: the output is read on a thread of its own.
final class PodgetProcess: Sendable {
    let id: Int32
    private let lines: AsyncStream<String>
    private let end: Task<Int32, Never>
    private let errors: Task<String, Never>

    /// Starts `podget` from the build folder of these tests.
    ///
    /// With `readsOutput` false its standard output is a pipe that nobody reads any more. `command` are the words of
    /// a program that runs it, such as `ip netns exec NAME`.
    init(
        _ words: [String], home: String, readsOutput: Bool = true, variables: [String: String] = [:],
        under command: [String] = []
    ) throws {
        let process = Process()
        let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command + [build.appending(path: "podget").path] + words
        process.environment = [
            "PODGET_HOME": home, "HOME": home, "LANG": "C",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin:/usr/sbin:/sbin",
        ].merging(variables) { $1 }
        let output = Pipe()
        let errorOutput = Pipe()
        process.standardOutput = output
        process.standardError = errorOutput
        let (ends, endContinuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            endContinuation.yield(isSignal ? -process.terminationStatus : process.terminationStatus)
            endContinuation.finish()
        }
        if !readsOutput { try output.fileHandleForReading.close() }
        try process.run()
        id = process.processIdentifier
        end = Task { await ends.first { _ in true } ?? -1 }
        lines = readsOutput ? readLines(from: output.fileHandleForReading) : AsyncStream { $0.finish() }
        let errorLines = readLines(from: errorOutput.fileHandleForReading)
        errors = Task { await errorLines.reduce(into: "") { $0 += $1 + "\n" } }
    }

    /// Reads the output line by line until one fits; nil where the output ends before.
    func line(where fits: (String) -> Bool) async -> String? {
        await lines.first(where: fits)
    }

    func send(_ signal: Int32) {
        kill(id, signal)
    }

    /// Waits for the end and gives the exit code, or minus the signal that ended it.
    func wait() async -> Int32 { await end.value }

    func errorText() async -> String { await errors.value }
}

/// The lines of a file as they come, read on a thread of its own.
private func readLines(from file: FileHandle) -> AsyncStream<String> {
    AsyncStream { continuation in
        Thread.detachNewThread {
            var unread = Data()
            while true {
                let more = file.availableData
                if more.isEmpty { break }
                unread.append(more)
                while let end = unread.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: unread[..<end], as: UTF8.self))
                    unread = Data(unread[(end + 1)...])
                }
            }
            if !unread.isEmpty { continuation.yield(String(decoding: unread, as: UTF8.self)) }
            continuation.finish()
        }
    }
}
