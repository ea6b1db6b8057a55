import Aggregator
import EpisodeStore
import Glibc

/// The program: words in, text and an exit code out.
@main
struct Podget {
    static func main() async {
        occupyStandardDescriptors()
        useUnicodeCharacterTypes()
        // A closed pipe then shows as an error of `write`, which ends the command quietly.
        _ = signal(SIGPIPE, SIG_IGN)
        // Whoever started us may have left it ignored: the system would then forget how programs of ours ended.
        _ = signal(SIGCHLD, SIG_DFL)
        let code = await runUntilSignal(Array(CommandLine.arguments.dropFirst()), in: .process())
        exit(code.rawValue)
    }

    /// Occupies the standard descriptors that whoever started us has closed, lest a file of ours becomes one of them and gets
    /// what is meant for a screen.
    ///
    /// Standard output is one that nobody can write to, so that what is lost is told.
    private static func occupyStandardDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free one is taken.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Runs one command line.
    static func run(_ words: [String], in environment: Environment) async -> ExitCode {
        do {
            return try await dispatch(words, in: environment)
        } catch is TextOutput.Closed {
            return .done
        } catch let error as UsageError {
            environment.complain(error.message)
            return .usage
        } catch let error as AggregatorError {
            environment.complain(error.description)
            return error.exitCode
        } catch let error as StoreError {
            environment.complain(error.description)
            return .failed
        } catch let error as CommandFailure {
            environment.complain(error.message)
            return .failed
        } catch is CancellationError {
            return .interrupted
        } catch {
            environment.complain("\(error)")
            return .failed
        }
    }

    private static func dispatch(_ words: [String], in environment: Environment) async throws -> ExitCode {
        switch words.first {
        case CompletionLookup.word:
            return try await CompletionLookup.answer(Array(words.dropFirst()), in: environment)
        case TagProcess.word:
            guard let answer = TagProcess.answer() else { return .usage }
            try environment.output.write(answer)
            return .done
        case "__manual":
            // For scripts/generate.
            try environment.output.write(
                manualPage(CommandTable.syntaxes, globalOptions: GlobalOptions.syntax))
            return .done
        default: break
        }
        let arguments = try Arguments(
            words, table: CommandTable.syntaxes, globalOptions: GlobalOptions.syntax)
        var environment = environment
        environment.options = GlobalOptions(arguments)
        if environment.options.home?.isEmpty == true {
            throw UsageError("--home needs the name of a folder")
        }

        if arguments.has("version") {
            try environment.output.line("podget \(Version.number)")
            return .done
        }
        guard let name = arguments.command, let command = CommandTable.command(named: name) else {
            let help = overviewHelp(
                CommandTable.syntaxes, globalOptions: GlobalOptions.syntax, width: environment.helpWidth)
            guard arguments.has("help") else {
                try environment.errors.write(help)
                return .usage
            }
            try environment.output.write(help)
            return .done
        }
        if arguments.has("help") {
            try environment.output.write(commandHelp(command.syntax, width: environment.helpWidth))
            return .done
        }
        return try await command.init(arguments).run(in: environment)
    }
}

extension AggregatorError {
    /// A selector that fits nothing or too much is a mistake in the command line.
    fileprivate var exitCode: ExitCode {
        switch self {
        case .ambiguous, .unknown, .noSuchEpisode, .feedForEpisode: .usage
        default: .failed
        }
    }
}
