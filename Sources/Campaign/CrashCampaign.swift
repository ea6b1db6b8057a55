import Foundation
import TestServer

/// Kills a real sync of 60 episodes again and again, then lets it run to its end.
///
/// In half of the homes the cache is a file system of its own, where mounting is possible.
func crashCampaign(_ options: Options) throws -> Report {
    var report = Report()
    var choices = SeededNumbers(seed: options.seed)
    let kills = options.rounds ?? 200
    var hits = 0
    var hasOtherDisk = false
    for part in 0..<2 {
        let sizes = (0..<60).map { _ in Int64(10_000 * pow(3_000, Double.random(in: 0...1, using: &choices)))
        }
        let show = Show(sizes: sizes)
        let server = try DummyServer()
        // As slow as it takes to be hit in the middle, most of the time.
        let total = sizes.reduce(0, +)
        let rate = max(200_000, total / Int64(max(kills / 2, 1)) / 3 * 8)
        show.serve(on: server) { $0.bytesPerSecond = rate }
        let home = try Home(podget: options.podget)
        var disk: SmallDisk?
        if part == 1, SmallDisk.isPossible {
            disk = try SmallDisk(at: home.cache, kilobytes: 256 * 1024)
            try home.write("{ reserve: '1 MiB' }", to: "config.json5")
            hasOtherDisk = true
        }
        try home.run("subscribe", "--latest", "60", server.url("/feed.xml"))
        for _ in 0..<kills / 2 {
            let delay = Duration.milliseconds(Int.random(in: 5...250, using: &choices))
            let outcome = try home.run("sync", after: delay)
            if outcome.code == -SIGKILL { hits += 1 }
        }
        show.checkWholeness(home, &report)
        show.serve(on: server)
        let last = try home.run("sync")
        report.expect(last.code == 0, "the last sync ended with \(last.code): \(last.errors)")
        try show.check(home, &report)
        checkDoctor(home, &report)
        for episode in show.episodes {
            let requests = Int64(server.requests(to: episode.path).count)
            let sent = server.bodyByteCount(on: episode.path)
            // What a killed process leaves unread in its receive buffers was sent, and is sent again.
            let bound = episode.size + (requests - 1) * (4 << 20)
            report.expect(
                sent <= bound,
                "\(episode.title): \(sent) bytes sent for \(episode.size), \(requests) requests")
        }
        // Mounted until here.
        withExtendedLifetime(disk) {}
    }
    let place = hasOtherDisk ? "half of them" : "none"
    report.done = "\(hits) of \(kills / 2 * 2) runs killed, \(place) with the cache on another file system"
    return report
}

/// `podget doctor` finds nothing.
func checkDoctor(_ home: Home, _ report: inout Report) {
    guard let outcome = try? home.run("doctor") else {
        report.faults.append("doctor could not be run")
        return
    }
    report.expect(outcome.code == 0, "doctor ended with \(outcome.code): \(outcome.output)\(outcome.errors)")
}
