import EpisodeStore
import TestServer
import Testing

@testable import Aggregator

/// What must hold whatever the rules and the episodes are: nothing is fetched in vain.
@Suite struct PlanPropertyTests {
    private func rules(_ random: inout SeededNumbers) -> PolicyRules {
        var rules = PolicyRules()
        rules.latest = Int.random(in: 0...4, using: &random)
        rules.first = Bool.random(using: &random) ? Int.random(in: 0...3, using: &random) : nil
        rules.keep =
            Int.random(in: 0...4, using: &random) == 0 ? .all : .files(Int.random(in: 1...4, using: &random))
        rules.order = Bool.random(using: &random) ? .newest : .oldest
        rules.isSerial = Bool.random(using: &random)
        if Int.random(in: 0...3, using: &random) == 0 { rules.types = ["full"] }
        if Int.random(in: 0...5, using: &random) == 0 { rules.exclude = TitlePattern("Part [25]") }
        if Int.random(in: 0...5, using: &random) == 0 { rules.minDuration = .seconds(60) }
        return rules
    }

    private func episode(_ number: Int, isOld: Bool, _ random: inout SeededNumbers) -> EpisodeFixture {
        EpisodeFixture(number).with {
            $0.isOldNews = isOld
            $0.state = [.none, .none, .queued, .none, .done, .done, .deleted, .missing, .skipped]
                .randomElement(
                    using: &random)!
            $0.isPlayed = Int.random(in: 0...3, using: &random) == 0
            if $0.state == .done {
                $0.origin = Int.random(in: 0...4, using: &random) == 0 ? .user : .policy
                $0.isKept = Int.random(in: 0...7, using: &random) == 0
                if Int.random(in: 0...7, using: &random) == 0 { $0.position = .seconds(9) }
            }
            if Int.random(in: 0...4, using: &random) == 0 { $0.type = "trailer" }
            if Int.random(in: 0...3, using: &random) == 0 { $0.duration = .seconds(30) }
            if Bool.random(using: &random) { $0.season = Int.random(in: 1...2, using: &random) }
            if Bool.random(using: &random) { $0.episode = Int.random(in: 1...9, using: &random) }
        }
    }

    @Test
    func `what a sync fetches it does not delete, nor does the next one, and then there is nothing to do`() {
        var random = SeededNumbers(seed: 7)
        for round in 0..<20_000 {
            let rules = rules(&random)
            let count = Int.random(in: 0...9, using: &random)
            let oldCount = Int.random(in: 0...9, using: &random)
            var episodes = (0..<count).reversed().map { episode($0 + 1, isOld: $0 < oldCount, &random) }
            let scenario = "round \(round): \(rules)\n" + episodes.map { "\($0)" }.joined(separator: "\n")

            let coming = planDownloads(of: episodes.map(\.record), by: rules).filter {
                $0.action == .download
            }
            .map(\.episode)
            let files = episodes.filter { $0.state == .done }.map(\.record)
            let deleted = Set(
                planRetention(of: files, coming: coming, by: rules, now: day(40))
                    .filter { $0.action == .delete }.map(\.episode.id))
            let fetched = Set(coming.map(\.id))
            for index in episodes.indices {
                if fetched.contains(episodes[index].record.id) {
                    (episodes[index].state, episodes[index].origin) = (.done, .policy)
                } else if deleted.contains(episodes[index].record.id) {
                    episodes[index].state = .deleted
                }
            }
            let after = planRetention(
                of: episodes.filter { $0.state == .done }.map(\.record), by: rules, now: day(40))
            let lost = after.filter { $0.action == .delete }
            #expect(lost.isEmpty, "deleted after the sync: \(lost.map(\.episode.id))\n\(scenario)")
            // Where parts are heard in turn, each one that goes lets the next one come.
            if rules.order == .newest {
                let again = planDownloads(of: episodes.map(\.record), by: rules).filter {
                    $0.action == .download
                }
                #expect(again.isEmpty, "fetched by the next sync: \(again.map(\.episode.id))\n\(scenario)")
            }
            if !lost.isEmpty { return }
        }
    }
}
