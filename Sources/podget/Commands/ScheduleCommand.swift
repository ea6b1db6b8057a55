import Aggregator
import FoundationEssentials
import Glibc

/// Lets the system sync by itself: `podget schedule [install|remove|show]`.
struct ScheduleCommand: Command {
    enum Action: String, CaseIterable { case install, remove, show }

    static let syntax = CommandSyntax(
        name: "schedule",
        group: .settings,
        summary: "Let the system sync at intervals or at times of the day, by systemd or cron",
        arguments: [
            ArgumentSyntax(
                "ACTION", .optional, choices: Action.allCases.map(\.rawValue), "install, remove or show")
        ],
        options: [
            OptionSyntax(
                "every", value: "INTERVAL",
                "How often to look for feeds that are due: minutes, or a length such as 90m, 6h or 24h (30m without)"
            ),
            OptionSyntax(
                "at", value: "HH:MM",
                "Sync at this time of the day instead: 06:30, 18 or 6pm; may be given more than once"),
            OptionSyntax(
                "on", value: "DAYS", "With --at, only on these days, such as mon,thu or mon-fri"),
        ],
        details: """
            'install' writes podget-sync.service and podget-sync.timer into ~/.config/systemd/user and starts the timer.
            With --every it runs 'podget sync --scheduled', which asks only feeds that are due; with --at it runs 'podget
            sync', which asks all. Where no systemd runs for the user, nothing is written, the line for 'crontab -e' is printed
            and the exit code is 1. 'remove' takes the timer away; a line for cron goes only by hand, with 'crontab -e'.
            systemd takes any interval from 5 minutes to 24 hours, cron only those that divide an hour or a day evenly.
            Without ACTION, or with 'show', nothing is changed.
            """,
        examples: [
            .init("podget schedule install", "looks for new episodes every half hour"),
            .init("podget schedule install --at 06:30", "syncs every morning at half past six"),
            .init(
                "podget schedule install --at 6:30 --at 17:00 --on mon-fri",
                "syncs twice a day, but not at weekends"
            ),
            .init("podget schedule show", "tells whether a timer runs, and shows the line for cron"),
        ])

    private let action: Action
    /// Nil where no times are named.
    private let named: ScheduleTimes?

    init(_ arguments: Arguments) throws(UsageError) {
        let name = arguments.positional.first ?? Action.show.rawValue
        guard let action = Action(rawValue: name) else {
            throw UsageError("schedule takes install, remove or show, not '\(name)'")
        }
        self.action = action
        named = try Self.times(arguments)
    }

    private static func times(_ arguments: Arguments) throws(UsageError) -> ScheduleTimes? {
        let texts = arguments.values(of: "at")
        guard !texts.isEmpty else {
            if arguments.has("on") { throw UsageError("--on goes with --at: --at 06:30 --on mon-fri") }
            return try arguments.value(of: "every").map { text throws(UsageError) in
                .every(minutes: try minutes(text))
            }
        }
        if arguments.has("every") { throw UsageError("--every and --at exclude each other") }
        var times: Set<ClockTime> = []
        for text in texts {
            guard let time = ClockTime(text) else {
                throw UsageError(
                    "--at takes a time from 00:00 to 23:59, such as 06:30, 18 or 6pm, not '\(text)'")
            }
            times.insert(time)
        }
        let days = try arguments.value(of: "on").map { text throws(UsageError) in
            guard let days = Weekday.list(text) else {
                throw UsageError("--on takes days such as mon,thu or mon-fri, not '\(text)'")
            }
            return days
        }
        return .at(times.sorted(), days: days?.count == 7 ? [] : days ?? [])
    }

    private static func minutes(_ text: String) throws(UsageError) -> Int {
        let seconds = parseLength(Int(text).map { "\($0)m" } ?? text)?.components.seconds
        guard let seconds, seconds % 60 == 0, (5...1440).contains(seconds / 60) else {
            throw UsageError(
                "--every takes whole minutes from 5 to 1440, or a length from 5m to 24h, not '\(text)'; '--at 06:30' syncs once a day"
            )
        }
        return Int(seconds / 60)
    }

    func run(in environment: Environment) async throws -> ExitCode {
        let folder = try unitFolder(environment)
        let timer = "\(folder)/\(ScheduleUnits.timerName)"
        // What is shown is what is installed, unless other times are named.
        let installed = action == .show ? (try? String(contentsOfFile: timer, encoding: .utf8)) : nil
        let times = named ?? installed.flatMap(ScheduleTimes.init(timer:)) ?? .every(minutes: 30)
        let units = try ScheduleUnits(command: command(environment, at: times), times: times)
        let service = "\(folder)/\(ScheduleUnits.serviceName)"
        switch action {
        case .show:
            try await show(units, service: service, timer: timer, in: environment)
            if named != nil {
                environment.complain(
                    "nothing was changed; 'podget schedule install' with the same options makes it so")
            }
        case .install:
            guard await isDone(["show-environment"], environment) else {
                return try offerCron(units, because: "no systemd answers for this user", in: environment)
            }
            guard try await install(units, service: service, timer: timer, environment) else {
                return try offerCron(units, because: "systemd refuses the timer", in: environment)
            }
            try environment.say("Wrote \(service)")
            try environment.say("Wrote \(timer)")
            try environment.say("podget syncs \(times.words); 'podget schedule remove' ends that")
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
            try environment.say(
                "podget syncs only when it is told to now; a line for cron, if there is one, goes with 'crontab -e'"
            )
        }
        return .done
    }

    /// Writes the units and starts the timer; where systemd refuses, what was there before is there again.
    private func install(
        _ units: ScheduleUnits, service: String, timer: String, _ environment: Environment
    ) async throws -> Bool {
        let files = FileManager.default
        try files.createDirectory(atPath: try unitFolder(environment), withIntermediateDirectories: true)
        let earlier = [service, timer].map { path in (path: path, bytes: files.contents(atPath: path)) }
        try replaceFile(at: service, with: units.service)
        try replaceFile(at: timer, with: units.timer)
        if await isDone(["daemon-reload"], environment),
            await isDone(["enable", ScheduleUnits.timerName], environment),
            // A timer that ran before takes its new times only when it starts anew.
            await isDone(["restart", ScheduleUnits.timerName], environment)
        {
            return true
        }
        if earlier.contains(where: { $0.path == timer && $0.bytes == nil }) {
            // Takes the link away that 'enable' may have made.
            _ = await isDone(["disable", ScheduleUnits.timerName], environment)
        }
        for (path, bytes) in earlier {
            if let bytes {
                guard files.createFile(atPath: path, contents: bytes) else {
                    throw CommandFailure("\(path): cannot be written as it was before; look at it")
                }
            } else if path.withCString({ unlink($0) }) != 0, errno != ENOENT {
                throw CommandFailure("\(path): \(String(cString: strerror(errno)))")
            }
        }
        _ = await isDone(["daemon-reload"], environment)
        return false
    }

    /// Tells what to do where no systemd runs the timer.
    private func offerCron(
        _ units: ScheduleUnits, because reason: String, in environment: Environment
    ) throws -> ExitCode {
        guard let lines = units.crontabLines else {
            environment.complain(
                "\(reason), so nothing was installed, and cron cannot keep this interval: "
                    + Self.cronIntervals)
            return .failed
        }
        environment.complain(
            "\(reason), so nothing was installed; with 'crontab -e' cron does the same by:")
        try environment.output.write(lines.map { $0 + "\n" }.joined())
        return .failed
    }

    /// The intervals for cron, as `--every` takes them.
    private static var cronIntervals: String {
        let minutes = ScheduleTimes.cronMinutes.filter { $0 < 60 }.map(String.init).joined(separator: ", ")
        let hours = ScheduleTimes.cronMinutes.filter { $0 >= 60 }.map { "\($0 / 60)h" }
        return "--every takes \(minutes) minutes, or \(hours.joined(separator: ", "))"
    }

    private func show(
        _ units: ScheduleUnits, service: String, timer: String, in environment: Environment
    ) async throws {
        let isInstalled = access(timer, F_OK) == 0
        let isActive =
            isInstalled ? await isDone(["is-active", ScheduleUnits.timerName], environment) : false
        if environment.options.wantsJSON {
            let row = Row(
                installed: isInstalled, active: isActive, service: service, timer: timer,
                crontab: units.crontabLines?.joined(separator: "\n"))
            try environment.output.write(jsonText(row))
            return
        }
        let first =
            switch (isInstalled, isActive) {
            case (true, true): "The timer is installed, and systemd runs it:"
            case (true, false):
                "The timer is installed, but no systemd runs it; 'podget schedule install' starts it or tells the line for cron:"
            default: "No timer is installed; 'podget schedule install' writes:"
            }
        try environment.say(first)
        for (path, text) in [(service, units.service), (timer, units.timer)] {
            // What stands there counts, also where somebody has changed it.
            let present = try? String(contentsOfFile: path, encoding: .utf8)
            try environment.output.write("\n\(path):\n" + indented(terminalLines(present ?? text)))
        }
        let cron = units.crontabLines.map {
            "For cron, \(units.times.words):\n" + indented($0.joined(separator: "\n"))
        }
        try environment.output.write(
            "\n" + (cron ?? "Cron cannot keep this interval: \(Self.cronIntervals)\n"))
    }

    /// What `schedule show --json` prints.
    private struct Row: Encodable {
        let installed: Bool
        let active: Bool
        let service: String
        let timer: String
        let crontab: String?
    }

    private func command(_ environment: Environment, at times: ScheduleTimes) throws -> [String] {
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
        // At a time that the user chose every feed is asked: one that is not quite due would wait for a day.
        if case .at = times { return words + ["sync"] }
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
