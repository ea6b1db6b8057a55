import Aggregator
import Glibc

/// The option of commands that can go on without the terminal.
let backgroundOption = OptionSyntax(
    "background", "Hand the work to the system and return at once; the terminal may close")

extension Environment {
    /// Starts podget with these words in the background, and tells how to follow it.
    ///
    /// The user's systemd takes it as a transient unit where it answers; elsewhere it becomes a process without a terminal.
    func runInBackground(_ words: [String]) async throws -> ExitCode {
        let command = try [executablePath()] + globalWords() + words
        let unit = "podget-\(getpid())"
        if try await isStarted(systemdRun(command, unit: unit), output: "/dev/null") {
            try tell(.init(unit: unit + ".service"), "'journalctl --user -u \(unit)' what it says")
            return .done
        }
        let log = try places().backgroundLog
        // A session of its own: the end of the terminal's one does not reach it.
        let script = "exec \"$0\" \"$@\" 2>&1"
        guard try await isStarted(["setsid", "--fork", "sh", "-c", script] + command, output: log) else {
            throw CommandFailure("no process can be started in the background")
        }
        try tell(.init(log: log), "\(log) what it says")
        return .done
    }

    /// How `runInBackground` found a place, as `--json` prints it.
    private struct Started: Encodable {
        var unit: String?
        var log: String?
    }

    private func tell(_ started: Started, _ where: String) throws {
        if options.wantsJSON { try output.write(jsonText(started, isIndented: false)) }
        try say("Started in the background; 'podget status --watch' shows the downloads, \(`where`)")
    }

    /// The call of systemd that starts a command as a unit; it gets the variables that podget reads.
    private func systemdRun(_ command: [String], unit: String) -> [String] {
        let variables = variables.filter { Self.passes($0.key) }.map { "--setenv=\($0.key)=\($0.value)" }
            .sorted()
        let call =
            ["systemd-run", "--user", "--collect", "--quiet", "--unit=\(unit)", "--description=podget"]
            + variables + ["--"] + command
        // Where no user manager answers it says so, which is of no interest here.
        return ["sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null"] + call
    }

    private static func passes(_ variable: String) -> Bool {
        let names = ["PODGET_HOME", "HOME", "PATH", "LANG", "TZ", "SSL_CERT_FILE", "CURL_CA_BUNDLE"]
        let lower = variable.lowercased()
        return names.contains(variable) || variable.hasPrefix("XDG_") || variable.hasPrefix("LC_")
            || lower.hasSuffix("_proxy")
    }

    private func isStarted(_ words: [String], output path: String) async throws -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("\(path): \(String(cString: strerror(errno)))")
        }
        defer { _ = close(descriptor) }
        // Whoever runs in the background holds the lock with its output, and what it says stays.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = ftruncate(descriptor, 0) }
        let end = await runProgram(
            words, input: "", variables: variables, timeLimit: .seconds(10), output: descriptor)
        if end == .interrupted { throw CancellationError() }
        return end == .exited(0)
    }

    /// The options of this call that hold for the one in the background too.
    func globalWords() -> [String] {
        var words: [String] = []
        if let home = options.home { words += ["--home", absolutePath(home, in: workingDirectory)] }
        if options.isOffline { words.append("--offline") }
        if options.isVerbose { words.append("--verbose") }
        return words
    }

    /// The path of this program.
    func executablePath() throws -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { throw CommandFailure("the path of podget is not known: /proc is not mounted") }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
