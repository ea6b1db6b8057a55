import Foundation

/// A program of the system that checks what we write, or does what a user would do with it.
enum Tool {
    struct Outcome: Sendable {
        let code: Int32
        let output: String
        let errors: String
    }

    /// Where a program stands; nil where it is not installed.
    static func path(_ name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func isInstalled(_ name: String) -> Bool { path(name) != nil }

    /// The `podget` of these tests.
    static var podget: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "podget").path
    }

    /// Runs a program with an empty home, for at most a minute, and gives what it wrote.
    static func run(_ name: String, _ words: [String], home: String) async throws -> Outcome {
        let folder = home + "/tool-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        // A child inherits the blocked signals of the thread that started it; KILL ends it nevertheless.
        process.arguments = ["-s", "KILL", "60", path(name) ?? name] + words
        process.currentDirectoryURL = URL(filePath: home)
        process.environment = [
            "HOME": home, "PODGET_HOME": home, "GPODDER_HOME": home + "/gpodder", "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
        ]
        // Files, since a full pipe that nobody reads would hold it up.
        let output = URL(filePath: folder + "/out")
        let errors = URL(filePath: folder + "/err")
        try Data().write(to: output)
        try Data().write(to: errors)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            end.yield($0.terminationStatus)
            end.finish()
        }
        try process.run()
        let code = await ends.first { _ in true } ?? -1
        return Outcome(
            code: code, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
