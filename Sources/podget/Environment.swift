import Aggregator
import FoundationEssentials
import Glibc

/// Everything a command may see of the world: variables, terminal, streams, clock and global options.
struct Environment: Sendable {
    var variables: [String: String]
    var workingDirectory: String
    var output: TextOutput
    var errors: TextOutput

    /// Columns of the terminal, or nil where the output is none.
    var terminalWidth: Int?

    /// The size of a terminal that can draw lines again, asked anew at each call; nil where there is none.
    var liveSize: (@Sendable () -> TerminalSize?)?
    var timeZone: TimeZone
    var now: @Sendable () -> Date = { Date() }

    /// The path of podget, for what it does in a process of its own.
    var program = Aggregator.runningProgram
    var options = GlobalOptions()

    /// The environment of this process.
    static func process() -> Environment {
        let variables = ProcessInfo.processInfo.environment
        let size = sizeOfTerminal(STDOUT_FILENO)
        // A terminal without a name, or a dumb one, may not know how to move the cursor.
        let isLive = size != nil && !["", "dumb"].contains(variables["TERM"] ?? "")
        return Environment(
            variables: variables,
            workingDirectory: FileManager.default.currentDirectoryPath,
            output: TextOutput(descriptor: STDOUT_FILENO),
            errors: TextOutput(descriptor: STDERR_FILENO),
            terminalWidth: size?.columns,
            liveSize: isLive ? { @Sendable in sizeOfTerminal(STDOUT_FILENO) } : nil,
            timeZone: .current)
    }

    var format: HumanFormat {
        HumanFormat(locale: userLocale(variables), timeZone: timeZone)
    }

    /// Says one line to the user, unless `--quiet` or `--json` is set.
    func say(_ line: String) throws {
        guard !options.isQuiet, !options.wantsJSON else { return }
        try output.line(terminalText(line))
    }

    /// Complains in one line, on standard error.
    func complain(_ line: String) {
        // With standard error gone there is nobody left to tell.
        try? errors.line("podget: " + terminalText(line))
    }

    /// Opens the library for changes; it is created where it does not exist.
    func openAggregator() throws -> Aggregator {
        try Aggregator(
            places: try places(), version: Version.number, homeFolder: variables["HOME"],
            caBundle: caBundle, isOffline: options.isOffline, variables: variables,
            program: program, now: now)
    }

    /// The certificates to trust, named as for curl and OpenSSL.
    private var caBundle: String? {
        ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
    }

    /// Opens the library for looking; nil where there is none yet.
    func openForReading() throws -> Aggregator? {
        try Aggregator.reading(
            places: try places(), version: Version.number, homeFolder: variables["HOME"], now: now)
    }

    /// The folders and files of this user.
    func places() throws -> Places {
        let found = Places(variables: variables, home: options.home, workingDirectory: workingDirectory)
        guard let found else {
            throw CommandFailure("no home folder is known; set HOME, or name a folder with --home DIR")
        }
        return found
    }
}

/// The options that every command takes.
struct GlobalOptions: Sendable {
    var home: String?
    var wantsJSON = false
    var isQuiet = false
    var isVerbose = false
    var isOffline = false

    static let syntax: [OptionSyntax] = [
        OptionSyntax("home", value: "DIR", "Keep everything under one folder (also: PODGET_HOME)"),
        OptionSyntax("json", "Print data as JSON"),
        OptionSyntax("quiet", short: "q", "Print errors only"),
        OptionSyntax("verbose", short: "v", "Print what is done besides the main thing"),
        OptionSyntax("offline", "Ask the network nothing"),
        OptionSyntax("no-color", "Print without colour (also: NO_COLOR)"),
        OptionSyntax("help", short: "h", "Explain podget or a command"),
        OptionSyntax("version", "Print the version"),
    ]

    init() {}

    init(_ arguments: Arguments) {
        home = arguments.value(of: "home")
        wantsJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        isVerbose = arguments.has("verbose")
        isOffline = arguments.has("offline")
    }
}

/// The version of the program.
enum Version {
    static let number = "0.1.0"

    /// The day of the version, as the manual page shows it.
    static let date = "2026-12-01"
}

private func sizeOfTerminal(_ descriptor: Int32) -> TerminalSize? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return TerminalSize(columns: 80, rows: 24)
    }
    return TerminalSize(columns: Int(size.ws_col), rows: max(2, Int(size.ws_row)))
}
