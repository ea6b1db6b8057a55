import Foundation
import Testing

/// A program in a terminal of a given size: tmux draws it, and tells what is on the screen.
final class TerminalSession: Sendable {
    static var isInstalled: Bool { SystemProgram.isInstalled("tmux") }

    private let tmux: SystemProgram
    private let socket: String
    private let environment: [String: String]

    /// Starts `command`, a line for the shell.
    init(
        _ command: String, columns: Int, rows: Int = 24, variables: [String: String] = [:]
    ) async throws {
        tmux = try #require(SystemProgram("tmux"))
        socket = FileManager.default.temporaryDirectory.path + "/podget-tmux-\(UUID().uuidString)"
        var environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "LANG": "C.UTF-8"]
        environment.merge(variables) { $1 }
        self.environment = environment
        // The terminal stays when the program has ended, so that its last screen can be looked at. (tmux itself would
        // scroll it by a line to tell of the end.)
        try await tell(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "\(command); exec tail -f /dev/null",
            // Should the tests be killed, the terminal ends by itself.
            ";", "run-shell", "-b", "-d", "300", "-C", "kill-server")
    }

    deinit {
        // Ends the server and what runs in it; it is reached by its own socket only.
        _ = try? tmux.runNow(["-S", socket, "kill-server"], environment: environment)
        unlink(socket)
    }

    @discardableResult
    func tell(_ words: String...) async throws -> String {
        let outcome = try await tmux.run(["-u", "-S", socket] + words, environment: environment)
        guard outcome.code == 0 else { throw SystemProgram.Failure(text: outcome.output) }
        return outcome.output
    }

    /// Types text, or presses a key such as `Tab` or `C-c`.
    func type(_ text: String) async throws { try await tell("send-keys", "-l", "--", text) }
    func press(_ key: String) async throws { try await tell("send-keys", key) }

    func resize(columns: Int) async throws {
        try await tell("resize-window", "-x", "\(columns)")
    }

    /// The lines on the screen, without the empty ones at its end.
    func screen() async throws -> [String] {
        let text = try await tmux.run(
            ["-u", "-S", socket, "capture-pane", "-p"], environment: environment
        ).output
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Waits until the screen is as wanted, and returns it; fails with what is there after 30 seconds.
    @discardableResult
    func waitForScreen(
        sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: ([String]) -> Bool
    ) async throws -> [String] {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while true {
            let lines = try await screen()
            if isWanted(lines) { return lines }
            guard ContinuousClock.now < end else {
                Issue.record(
                    "the screen is:\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
                return lines
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
