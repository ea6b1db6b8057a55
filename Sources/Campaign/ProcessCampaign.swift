import Foundation
import Synchronization
import TestServer

/// Lets ten processes do random things on one home, some of them killed; afterwards everything is in order.
func processCampaign(_ options: Options) throws -> Report {
    var report = Report()
    let seconds = options.seconds ?? 60
    var choices = SeededNumbers(seed: options.seed)
    let show = Show(sizes: (0..<40).map { _ in Int64.random(in: 20_000...2_000_000, using: &choices) })
    let other = Show(
        sizes: (0..<20).map { _ in Int64.random(in: 20_000...500_000, using: &choices) }, name: "o")
    let server = try DummyServer()
    show.serve(on: server) { $0.bytesPerSecond = 3_000_000 }
    other.serve(on: server)
    server.serve("/feed.xml", show.feed(server))
    server.serve("/other.xml", other.feed(server))
    let home = try Home(podget: options.podget)
    try home.run("subscribe", "--name", "Show", "--latest", "40", server.url("/feed.xml"))
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    let failures = Mutex<[String]>([])
    let count = Mutex(0)
    let done = DispatchGroup()
    for worker in 0..<10 {
        let seed = options.seed &+ UInt64(worker) &* 7919
        let feed = server.url("/feed.xml")
        let otherFeed = server.url("/other.xml")
        done.enter()
        Thread.detachNewThread {
            defer { done.leave() }
            var choices = SeededNumbers(seed: seed)
            while clock.now < end {
                let words = randomCommand(feed, otherFeed, &choices)
                let isKilled = Int.random(in: 0..<8, using: &choices) == 0
                let delay = Duration.milliseconds(Int.random(in: 5...300, using: &choices))
                guard let outcome = try? home.run(words, after: isKilled ? delay : .seconds(60)) else {
                    continue
                }
                count.withLock { $0 += 1 }
                let isOrderly = isKilled ? true : [0, 1, 2, 3].contains(outcome.code)
                let isCorrupt = (outcome.output + outcome.errors).contains("malformed")
                if !isOrderly || isCorrupt {
                    failures.withLock {
                        $0.append(
                            "\(words.joined(separator: " ")) ended with \(outcome.code): \(outcome.errors)")
                    }
                }
            }
        }
    }
    done.wait()
    report.faults += failures.withLock { $0 }
    show.checkWhole(with: other, home, &report)
    // Everything that was deleted, paused or unsubscribed in between is asked for once more.
    show.serve(on: server)
    server.serve("/feed.xml", show.feed(server))
    try home.run("subscribe", "--name", "Show", "--latest", "40", server.url("/feed.xml"))
    try home.run("sync")
    checkDoctor(home, &report)
    report.done = "\(count.withLock { $0 }) commands in ten processes"
    return report
}

private func randomCommand(_ feed: String, _ other: String, _ choices: inout SeededNumbers) -> [String] {
    let episode = "\(Int.random(in: 1...60, using: &choices))"
    let commands: [[String]] = [
        ["sync"], ["sync"], ["sync"], ["refresh"], ["download", episode], ["download", episode, episode],
        ["delete", episode], ["episodes", "--json"], ["feeds"], ["status"], ["status", "--json"], ["storage"],
        ["mark", "played", episode], ["mark", "keep", episode], ["mark", "unkeep", episode], ["clean"],
        ["subscribe", other], ["unsubscribe", "show-2"], ["subscribe", feed], ["why", episode], ["playlist"],
        ["doctor"], ["show", episode], ["config", "latest", "\(Int.random(in: 1...40, using: &choices))"],
    ]
    return commands[Int.random(in: 0..<commands.count, using: &choices)]
}

extension Show {
    /// Every file of the library is one of the two shows' files, whole.
    fileprivate func checkWhole(with other: Show, _ home: Home, _ report: inout Report) {
        let patterns = (episodes + other.episodes).map { Pattern(byteCount: $0.size) }
        for file in home.mediaFiles() where !(file as NSString).lastPathComponent.hasPrefix(".") {
            let isWhole = patterns.contains { $0.firstDifference(fromFileAt: file) == nil }
            report.expect(isWhole, "\(file) is not whole")
        }
    }
}
