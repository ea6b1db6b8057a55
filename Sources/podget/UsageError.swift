/// A mistake in the command line: told in one line, exit code 2.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Something that the user can read and act on, other than a usage mistake: exit code 1.
struct CommandFailure: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The codes of `cli.md`; scripts rely on them.
enum ExitCode: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case partly = 3
    case interrupted = 130
}
