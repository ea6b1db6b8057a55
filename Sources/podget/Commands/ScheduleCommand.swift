import Aggregator
import FoundationEssentials
import Glibc

/// Lets the system sync by itself: `podget schedule [install|remove|show]`.
struct ScheduleCommand: Command {
    enum Action: String, CaseIterable { case install, remove, show }

    static let syntax = CommandSyntax(
        name: "schedule",
        group: .settings,
        summary: "Let the system sync at intervals, by a timer of systemd or by cron",
        arguments: [
            ArgumentSyntax(
                "ACTION", .optional, choices: Action.allCases.map(\.rawValue), "install, remove or show")
        ],
        options: [
            OptionSyntax(
                "every", value: "MINUTES", "How often the timer looks for feeds that are due (30 without)")
        ],
        details: """
            'install' writes podget-sync.service and podget-sync.timer into ~/.config/systemd/user and starts the timer.
            It runs 'podget sync --scheduled', which asks only feeds that are due. Where no systemd runs for the user, the
            line for 'crontab -e' is printed instead. Without ACTION, or with 'show', nothing is changed.
            """,
        examples: [
            .init("podget schedule install", "looks for new episodes every half hour"),
            .init("podget schedule show", "shows the units, and the line for cron"),
        ])

    private let action: Action
    private let minutes: Int

    init(_ arguments: Arguments) throws(UsageError) {
        let name = arguments.positional.first ?? Action.show.rawValue
        guard let action = Action(rawValue: name) else {
            throw UsageError("schedule takes install, remove or show, not '\(name)'")
        }
        self.action = action
        minutes = try arguments.number(of: "every", in: 5...1440) ?? 30
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let units = try ScheduleUnits(command: command(environment), minutes: minutes)
        let folder = try unitFolder(environment)
        let timer = "\(folder)/\(ScheduleUnits.timerName)"
        let service = "\(folder)/\(ScheduleUnits.serviceName)"
        switch action {
        case .show:
            try show(units, service: service, timer: timer, in: environment)
        case .install:
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try replaceFile(at: service, with: units.service)
            try replaceFile(at: timer, with: units.timer)
            try environment.say("Wrote \(service)")
            try environment.say("Wrote \(timer)")
            guard await isDone(["daemon-reload"], environment),
                await isDone(["enable", "--now", ScheduleUnits.timerName], environment)
            else {
                environment.complain(
                    "no systemd answers for this user; this line in 'crontab -e' does the same:")
                try environment.output.line(units.crontabLine)
                return .done
            }
            try environment.say("podget syncs every \(minutes) minutes; 'podget schedule remove' ends that")
        case .remove:
            guard access(service, F_OK) == 0 || access(timer, F_OK) == 0 else {
                try environment.say("Nothing is scheduled by systemd; 'crontab -e' shows the lines of cron")
                return .done
            }
            _ = await isDone(["disable", "--now", ScheduleUnits.timerName], environment)
            for file in [service, timer] where file.withCString({ unlink($0) }) != 0 && errno != ENOENT {
                throw CommandFailure("\(file): \(String(cString: strerror(errno)))")
            }
            _ = await isDone(["daemon-reload"], environment)
            try environment.say("podget syncs only when it is told to now")
        }
        return .done
    }

    private func show(
        _ units: ScheduleUnits, service: String, timer: String, in environment: Environment
    ) throws {
        if environment.options.wantsJSON {
            let row = Row(
                installed: access(timer, F_OK) == 0, service: service, timer: timer,
                crontab: units.crontabLine)
            try environment.output.write(jsonText(row))
            return
        }
        let isInstalled = access(timer, F_OK) == 0
        try environment.say(
            isInstalled
                ? "The timer is installed:" : "No timer is installed; 'podget schedule install' writes:")
        for (path, text) in [(service, units.service), (timer, units.timer)] {
            // What stands there counts, also where somebody has changed it.
            let present = try? String(contentsOfFile: path, encoding: .utf8)
            try environment.output.write("\n\(path):\n" + indented(terminalLines(present ?? text)))
        }
        try environment.output.write("\nThe line for cron:\n" + indented(units.crontabLine))
    }

    /// What `schedule show --json` prints.
    private struct Row: Encodable {
        let installed: Bool
        let service: String
        let timer: String
        let crontab: String
    }

    private func command(_ environment: Environment) throws -> [String] {
        var words = [try environment.executablePath()]
        let variables = environment.variables
        if let home = environment.options.home ?? variables["PODGET_HOME"], !home.isEmpty {
            words += ["--home", absolutePath(home, in: environment.workingDirectory)]
        } else {
            // The timer does not know what a shell's profile sets.
            let moved = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].compactMap { name in
                variables[name].map { "\(name)=\($0)" }
            }
            if !moved.isEmpty { words = ["/usr/bin/env"] + moved + words }
        }
        return words + ["sync", "--scheduled"]
    }

    private func unitFolder(_ environment: Environment) throws -> String {
        if let base = environment.variables["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            return base + "/systemd/user"
        }
        guard let home = environment.variables["HOME"], home.hasPrefix("/") else {
            throw CommandFailure("no home folder is known; set HOME")
        }
        return home + "/.config/systemd/user"
    }

    private func isDone(_ words: [String], _ environment: Environment) async -> Bool {
        let script = "exec systemctl --user --quiet \"$@\" >/dev/null 2>&1"
        let end = await runProgram(
            ["sh", "-c", script, "systemctl"] + words, input: "", variables: environment.variables,
            timeLimit: .seconds(10))
        return end == .exited(0)
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
}
