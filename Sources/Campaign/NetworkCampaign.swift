import Foundation
import Synchronization
import TestServer

/// Takes the server away in the middle of a sync and gives it back.
///
/// The downloads go on by themselves within ten seconds of its return, each with one more request, from where they were.
func networkCampaign(_ options: Options) throws -> Report {
    var report = Report()
    var choices = SeededNumbers(seed: options.seed)
    var longest = Duration.zero
    let rounds = options.rounds ?? 5
    for round in 0..<rounds {
        let show = Show(sizes: [900_000, 1_000_000, 1_100_000])
        let server = try DummyServer()
        defer { server.stop() }
        show.serve(on: server) { $0.stallAfter = 400_000 }
        let home = try Home(podget: options.podget)
        try home.run("subscribe", "--latest", "3", server.url("/feed.xml"))
        let absence = Double.random(in: 0.5...6, using: &choices)
        let back = Mutex<ContinuousClock.Instant?>(nil)
        let outage = Thread { [show] in
            // By then all that may run at once stand still.
            Thread.sleep(forTimeInterval: 1.5)
            server.stop()
            show.serve(on: server)
            Thread.sleep(forTimeInterval: absence)
            back.withLock { $0 = .now }
            try? server.start()
        }
        outage.start()
        let outcome = try home.run("sync")
        let time = (back.withLock { $0 } ?? .now).duration(to: .now)
        longest = max(longest, time)
        let name = "round \(round), \(String(format: "%.1f", absence)) s away"
        report.expect(outcome.code == 0, "\(name): sync ended with \(outcome.code): \(outcome.errors)")
        report.expect(time < .seconds(10), "\(name): it took \(time) to go on")
        try show.check(home, &report)
        let resumed = show.episodes.count { episode in
            server.requests(to: episode.path).last?.range?.hasPrefix("bytes=") == true
        }
        report.expect(resumed >= 2, "\(name): \(resumed) downloads were resumed")
    }
    report.done =
        "\(rounds) outages, at most \(String(format: "%.1f", longest / .seconds(1))) s after their end"
    return report
}
