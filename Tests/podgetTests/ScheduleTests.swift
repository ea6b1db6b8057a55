import Foundation
import Testing

@testable import podget

/// Timers: the units of systemd, and the line for cron.
@Suite(.timeLimit(.minutes(5)))
struct ScheduleTests {
    /// A `systemctl` that notes its calls and ends with a code.
    private func standIn(_ home: TestHome, code: Int) throws -> [String: String] {
        let file = try home.write(
            "#!/bin/sh\necho \"$@\" >> \"$HOME/calls\"\nexit \(code)\n", to: "bin/systemctl")
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
        #expect(shown.output.hasPrefix("The timer is installed:"))
        #expect(try await run(["schedule", "remove"], home, variables).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder(home)).isEmpty)
        #expect(
            try home.read(home.path + "/calls") == """
                --user --quiet daemon-reload
                --user --quiet enable --now podget-sync.timer
                --user --quiet disable --now podget-sync.timer
                --user --quiet daemon-reload

                """)
    }

    @Test func `without a user manager the line for cron is printed`() async throws {
        let home = try TestHome()
        let installed = try await run(["schedule", "install"], home, try standIn(home, code: 1))
        #expect(installed.code == 0)
        #expect(
            installed.output.hasSuffix(
                "*/30 * * * * \(builtPodget) --home \(home.path) sync --scheduled --quiet"))
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
        arguments: [["/bin/true", "sync"], ["/bin/true", "--home", "/tmp/a b'c\"d%n$HOME\\e", "sync"]])
    func `systemd finds nothing to complain of`(_ command: [String]) async throws {
        let home = try TestHome()
        let units = ScheduleUnits(command: command, minutes: 30)
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
        (5, "*/5 * * * *"), (30, "*/30 * * * *"), (60, "7 */1 * * *"), (180, "7 */3 * * *"),
        (1440, "7 */23 * * *"),
    ])
    func `cron gets minutes or hours`(_ minutes: Int, _ time: String) {
        let line = ScheduleUnits(command: ["/x/podget", "--home", "/a b%c"], minutes: minutes).crontabLine
        #expect(line == "\(time) /x/podget --home '/a b\\%c' --quiet")
    }
}
