import Foundation

/// A program of the system that tests check ours with.
struct SystemProgram {
    struct Outcome {
        let code: Int32
        /// What it wrote to standard output and standard error.
        let output: String
    }

    struct Failure: Error { let text: String }

    let path: String

    init(path: String) {
        self.path = path
    }

    /// Finds a program on `PATH`; nil where it is not installed.
    init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else { return nil }
        self.path = path
    }

    static func isInstalled(_ name: String) -> Bool { SystemProgram(name) != nil }

    /// Runs it to its end, with no input, on a thread of its own.
    func run(
        _ words: [String], environment: [String: String]? = nil, folder: String? = nil
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try runNow(words, environment: environment, folder: folder) })
            }
        }
    }

    /// Runs it to its end on this thread.
    ///
    /// Not with `Process`: that one leaves a descriptor to its children, and waits until the last of them has let go of
    /// it, daemons too. Here the child starts as a person would start it, without other descriptors and blocked signals.
    func runNow(
        _ words: [String], environment: [String: String]? = nil, folder: String? = nil
    ) throws -> Outcome {
        let outputFile = FileManager.default.temporaryDirectory.path + "/podget-output-\(UUID().uuidString)"
        defer { unlink(outputFile) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        var child = pid_t()
        let start = """
            for file in /proc/self/fd/*; do
                if ((${file##*/} > 2)); then eval "exec ${file##*/}>&-"; fi
            done
            cd "$1" && shift && exec "$@"
            """
        let all = ["bash", "-c", start, "bash", folder ?? "/", path] + words
        let error = withCStrings(all) { arguments in
            withCStrings(variables) {
                posix_spawn(&child, "/bin/bash", &actions, &attributes, arguments, $0)
            }
        }
        guard error == 0 else { throw Failure(text: "\(path): \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let output = try String(decoding: Data(contentsOf: URL(filePath: outputFile)), as: UTF8.self)
        let signal = status & 0x7F
        return Outcome(code: signal == 0 ? (status >> 8) & 0xFF : -signal, output: output)
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}

/// The program under test, in the build folder of these tests.
let builtPodget = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/podget"

/// The folder that holds `Package.swift`.
let repository = "/" + URL(filePath: #filePath).pathComponents.dropFirst().dropLast(4).joined(separator: "/")
