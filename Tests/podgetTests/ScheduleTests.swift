import Foundation
import Testing

@testable import podget

/// Timers: the units of systemd, and the line for cron.
@Suite(.timeLimit(.minutes(5)))
struct ScheduleTests {
    /// A `systemctl` that notes its calls and ends with a code; with 1 where it is told to do `refused`.
    private func standIn(
        _ home: TestHome, code: Int, refused: String = "nothing"
    ) throws -> [String: String] {
        let file = try home.write(
            """
            #!/bin/sh
            echo "$@" >> "$HOME/calls"
            [ "$3" = \(refused) ] && exit 1
            exit \(code)

            """, to: "bin/systemctl")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return ["PATH": "\(home.path)/bin:/usr/bin:/bin"]
    }

    private func run(_ words: [String], _ home: TestHome, _ variables: [String: String]) async throws
        -> (code: Int32, output: String)
    {
        let process = try PodgetProcess(words, home: home.path, variables: variables)
        var lines: [String] = []
        while let line = await process.line(where: { _ in true }) { lines.append(line) }
        return (await process.wait(), lines.joined(separator: "\n"))
    }

    private func folder(_ home: TestHome) -> String { home.path + "/.config/systemd/user" }

    @Test func `the units are written, started and removed again`() async throws {
        let home = try TestHome()
        let variables = try standIn(home, code: 0)
        let installed = try await run(["schedule", "install", "--every", "45"], home, variables)
        #expect(installed.code == 0)
        #expect(
            installed.output.hasSuffix("podget syncs every 45 minutes; 'podget schedule remove' ends that"))
        let service = try home.read(folder(home) + "/podget-sync.service")
        #expect(service.contains("ExecStart=\(builtPodget) --home \(home.path) sync --scheduled\n"))
        #expect(try home.read(folder(home) + "/podget-sync.timer").contains("OnUnitInactiveSec=45min\n"))
        let shown = try await run(["schedule"], home, variables)
        #expect(shown.output.hasPrefix("The timer is installed, and systemd runs it:"))
        let removed = try await run(["schedule", "remove"], home, variables)
        #expect(removed.code == 0)
        #expect(removed.output.hasSuffix("; a line for cron, if there is one, goes with 'crontab -e'"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder(home)).isEmpty)
        #expect(
            try home.read(home.path + "/calls") == """
                --user --quiet show-environment
                --user --quiet daemon-reload
                --user --quiet enable podget-sync.timer
                --user --quiet restart podget-sync.timer
                --user --quiet is-active podget-sync.timer
                --user --quiet disable --now podget-sync.timer
                --user --quiet daemon-reload

                """)
    }

    @Test func `without a user manager the line for cron is printed`() async throws {
        let home = try TestHome()
        let variables = try standIn(home, code: 1)
        let installed = try await run(["schedule", "install"], home, variables)
        // Nothing runs yet, and a script is to know.
        #expect(installed.code == 1)
        #expect(
            installed.output.hasSuffix(
                "*/30 * * * * \(builtPodget) --home \(home.path) sync --scheduled --quiet"))
        // Nothing says that it is installed.
        let shown = try await run(["schedule"], home, variables)
        #expect(shown.output.hasPrefix("No timer is installed"))
        let json = try await run(["schedule", "--json"], home, variables)
        #expect(json.output.contains(#""active" : false"#))
        #expect(json.output.contains(#""installed" : false"#))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/.config"))
    }

    @Test(arguments: ["show-environment", "daemon-reload", "enable", "restart"])
    func `where systemd refuses, the units of before are as they were`(_ refused: String) async throws {
        let home = try TestHome()
        let variables = try standIn(home, code: 0, refused: refused)
        let install = ["schedule", "install", "--every", "30"]
        // There were none.
        #expect(try await run(install, home, variables).code == 1)
        let units = folder(home)
        #expect(((try? FileManager.default.contentsOfDirectory(atPath: units)) ?? []).isEmpty)
        // There was a timer of the user's own hand.
        try FileManager.default.createDirectory(atPath: units, withIntermediateDirectories: true)
        try "[Timer]\nOnCalendar=daily\n".write(
            toFile: units + "/podget-sync.timer", atomically: true, encoding: .utf8)
        #expect(try await run(install, home, variables).code == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: units) == ["podget-sync.timer"])
        #expect(try home.read(units + "/podget-sync.timer") == "[Timer]\nOnCalendar=daily\n")
    }

    @Test(arguments: [
        ("6", "06:00"), ("06", "06:00"), ("18", "18:00"), ("0", "00:00"), ("6am", "06:00"), ("6PM", "18:00"),
        ("12am", "00:00"), ("12pm", "12:00"), ("6:30pm", "18:30"), ("6:30", "06:30"), ("24", nil),
        ("13pm", nil), ("0am", nil), ("630", nil), ("am", nil), ("", nil), ("6:", nil), ("6 am", nil),
    ])
    func `a plain hour is a time of the day`(_ text: String, _ time: String?) {
        #expect(ClockTime(text)?.text == time)
    }

    @Test func `times of the day and days of the week are told to systemd and cron`() async throws {
        let home = try TestHome()
        let words = ["schedule", "install", "--at", "17:05", "--at", "6:30", "--on", "mon-wed,sunday"]
        let installed = try await run(words, home, try standIn(home, code: 0))
        #expect(
            installed.output.hasSuffix(
                "podget syncs at 06:30, 17:05 on mon, tue, wed, sun; 'podget schedule remove' ends that"))
        let timer = try home.read(folder(home) + "/podget-sync.timer")
        #expect(
            timer.contains(
                "OnCalendar=Mon,Tue,Wed,Sun *-*-* 06:30:00\nOnCalendar=Mon,Tue,Wed,Sun *-*-* 17:05:00\n"))
        // At a time that somebody chose every feed is asked.
        #expect(try home.read(folder(home) + "/podget-sync.service").contains("sync\n"))
        let cron = try await run(words, home, try standIn(home, code: 1)).output.split(separator: "\n")
            .suffix(2)
        #expect(cron.first?.hasPrefix("30 6 * * 1,2,3,7 \(builtPodget)") == true)
        // What is shown is what was installed.
        #expect(try await run(["schedule"], home, [:]).output.contains("30 6 * * 1,2,3,7 \(builtPodget)"))
        #expect(cron.last?.hasPrefix("5 17 * * 1,2,3,7 \(builtPodget)") == true)
    }

    @Test func `an interval that cron cannot keep is refused with those that it can`() async throws {
        let home = try TestHome()
        let process = try PodgetProcess(
            ["schedule", "install", "--every", "45"], home: home.path, variables: try standIn(home, code: 1))
        #expect(await process.wait() == 1)
        #expect(
            await process.errorText().hasSuffix(
                "cron cannot keep this interval: --every takes 5, 6, 10, 12, 15, 20, 30 minutes, or 1h, 2h, 3h, 4h, 6h, 8h, 12h, 24h\n"
            ))
    }

    @Test(arguments: [
        ["--at", "24:00"], ["--at", "24"], ["--at", "06:3"], ["--at", "-1:30"], ["--on", "mon"],
        ["--at", "06:30", "--on", "someday"], ["--at", "06:30", "--on", "fri-mon"],
        ["--at", "06:30", "--every", "30"], ["--every", "4"], ["--every", "25h"], ["--every", "90s"],
        ["--every", "often"],
    ])
    func `a wrong time is named, and nothing is written`(_ words: [String]) async throws {
        let home = try TestHome()
        let outcome = await home.run(["schedule", "install"] + words)
        #expect(outcome.code == .usage)
        #expect(outcome.errors.hasPrefix("podget: --"), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    @Test func `show changes nothing`() async throws {
        let home = try TestHome()
        let shown = await home.podget("schedule")
        #expect(shown.output.hasPrefix("No timer is installed"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
        #expect(await home.podget("schedule", "sometimes").code == .usage)
    }

    @Test(
        .enabled(if: SystemProgram.isInstalled("systemd-analyze"), "systemd is not installed"),
        arguments: [["/bin/true", "sync"], ["/bin/true", "--home", "/tmp/a b'c\"d%n$HOME\\e", "sync"]],
        [
            ScheduleTimes.every(minutes: 45), .at([try #require(ClockTime("6:30"))], days: []),
            .at([try #require(ClockTime("23:59"))], days: [.mon, .sun]),
        ])
    func `systemd finds nothing to complain of`(_ command: [String], _ times: ScheduleTimes) async throws {
        let home = try TestHome()
        let units = ScheduleUnits(command: command, times: times)
        let service = try home.write(units.service, to: ScheduleUnits.serviceName)
        let timer = try home.write(units.timer, to: ScheduleUnits.timerName)
        let analyze = try #require(SystemProgram("systemd-analyze"))
        let outcome = try await analyze.run(
            ["--user", "--man=no", "verify", service, timer],
            environment: ["XDG_RUNTIME_DIR": home.path, "HOME": home.path, "PATH": "/usr/bin:/bin"])
        #expect(!outcome.output.contains(ScheduleUnits.serviceName))
        #expect(!outcome.output.contains(ScheduleUnits.timerName))
        #expect(outcome.code == 0, "\(outcome.output)")
    }

    @Test(arguments: [
        (5, "*/5 * * * *"), (30, "*/30 * * * *"), (60, "7 * * * *"), (180, "7 */3 * * *"),
        (1440, "7 6 * * *"), (45, nil), (90, nil), (50, nil), (300, nil), (1439, nil),
    ])
    func `cron gets an interval that it keeps exactly, or none`(_ minutes: Int, _ time: String?) {
        let units = ScheduleUnits(
            command: ["/x/podget", "--home", "/a b%c"], times: .every(minutes: minutes))
        #expect(units.crontabLines == time.map { ["\($0) /x/podget --home '/a b\\%c' --quiet"] })
        #expect(ScheduleTimes.cronMinutes.contains(minutes) == (time != nil))
    }
}
