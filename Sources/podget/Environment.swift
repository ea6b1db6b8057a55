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
    var timeZone: TimeZone
    var now: @Sendable () -> Date = { Date() }
    var options = GlobalOptions()

    /// The environment of this process.
    static func process() -> Environment {
        Environment(
            variables: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath,
            output: TextOutput(descriptor: STDOUT_FILENO),
            errors: TextOutput(descriptor: STDERR_FILENO),
            terminalWidth: widthOfTerminal(STDOUT_FILENO),
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
            caBundle: caBundle, isOffline: options.isOffline, now: now)
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
}

private func widthOfTerminal(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
}
