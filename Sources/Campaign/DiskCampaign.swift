import Foundation
import TestServer

/// Takes the disk away from cache, library and database in turn, in several ways, and gives it back.
///
/// Whatever stands in the library is whole at any time, and once there is room the next sync brings the rest.
func diskCampaign(_ options: Options) throws -> Report {
    var report = Report()
    guard SmallDisk.isPossible else {
        report.done = "nothing done: mounting a small disk needs root"
        return report
    }
    var choices = SeededNumbers(seed: options.seed)
    var runs = 0
    for round in 0..<(options.rounds ?? 3) {
        for place in ["cache", "Podcasts", "data"] {
            for fault in Fault.allCases {
                var part = Report()
                try run(fault, on: place, &choices, options, &part)
                report.faults += part.faults.map { "round \(round), \(fault) \(place): \($0)" }
                runs += 1
            }
        }
    }
    report.done = "\(runs) disks full, beyond a quota, read-only or gone"
    return report
}

private enum Fault: CaseIterable { case full, filledWhileRunning, quota, readOnly, removedWhileRunning }

private func run(
    _ fault: Fault, on place: String, _ choices: inout SeededNumbers, _ options: Options,
    _ report: inout Report
) throws {
    let show = Show(sizes: (0..<12).map { _ in Int64.random(in: 200_000...900_000, using: &choices) })
    let server = try DummyServer()
    show.serve(on: server) { $0.bytesPerSecond = 2_000_000 }
    let home = try Home(podget: options.podget)
    let folder = home.path + "/" + place
    let disk = try SmallDisk(at: folder, kilobytes: fault == .full ? 3_000 : 40_000)
    try home.write("{ reserve: '0 B' }", to: "config.json5")
    let subscribed = try home.run("subscribe", "--latest", "12", server.url("/feed.xml"))
    report.expect(subscribed.code == 0, "subscribe ended with \(subscribed.code): \(subscribed.errors)")
    switch fault {
    case .full:
        _ = try expectOrderly(home.run("sync"), &report)
        try disk.resize(kilobytes: 40_000)
    case .filledWhileRunning:
        let filler = Thread { [disk] in
            usleep(300_000)
            try? disk.fill()
        }
        filler.start()
        _ = try expectOrderly(home.run("sync"), &report)
        usleep(400_000)
        disk.drain()
    case .quota:
        let limit = Int.random(in: 1...(place == "data" ? 400_000 : 4_000_000), using: &choices)
        let outcome = try home.run(
            ["sync"],
            variables: [
                "LD_PRELOAD": options.quota, "QUOTA_FOLDER": folder, "QUOTA_BYTES": "\(limit)",
            ])
        report.expect(
            [0, 3].contains(outcome.code) || outcome.errors.contains("the disk is full"),
            "beyond the quota sync ended with \(outcome.code): \(outcome.errors)")
    case .readOnly:
        _ = try home.run("sync", signal: SIGINT, after: .milliseconds(300))
        try disk.makeReadOnly()
        _ = try expectOrderly(home.run("sync"), &report)
        try disk.makeWritable()
    case .removedWhileRunning:
        let contents = place == "data" ? [] : try FileManager.default.contentsOfDirectory(atPath: folder)
        let remover = Thread {
            usleep(250_000)
            for name in contents { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
        }
        remover.start()
        _ = try expectOrderly(home.run("sync"), &report)
        usleep(300_000)
    }
    show.checkWholeness(home, &report)
    if fault == .removedWhileRunning, place == "Podcasts" {
        // An emptied library looks like a disk that is not mounted; files that somebody took away are not fetched
        // again unless asked.
        _ = try home.run("doctor", "--repair", "--files-gone")
        _ = try home.run("sync")
        _ = try home.run("download", "show:all")
    }
    let last = try home.run("sync")
    report.expect(last.code == 0, "with room again sync ended with \(last.code): \(last.errors)")
    try show.check(home, &report)
    checkDoctor(home, &report)
    // Mounted until here.
    withExtendedLifetime(disk) {}
}

/// A run that met a fault ended by itself, with a code of its own and a word.
private func expectOrderly(_ outcome: Home.Outcome, _ report: inout Report) throws -> Home.Outcome {
    report.expect([0, 1, 3].contains(outcome.code), "sync ended with \(outcome.code): \(outcome.errors)")
    report.expect(outcome.code == 0 || !outcome.errors.isEmpty, "sync failed without a word")
    return outcome
}
