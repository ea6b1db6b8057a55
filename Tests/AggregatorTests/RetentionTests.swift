import EpisodeStore
import Testing

@testable import Aggregator

@Suite struct RetentionTests {
    private func file(_ number: Int, _ change: (inout EpisodeFixture) -> Void = { _ in }) -> EpisodeFixture {
        EpisodeFixture(number).with {
            $0.state = .done
            $0.byteCount = 100
            $0.downloadedOn = Double(number)
            change(&$0)
        }
    }

    private func plan(
        _ files: [EpisodeFixture], keep: Keep, on now: Double = 40
    ) -> [PlanLine] {
        var rules = PolicyRules()
        rules.keep = keep
        return planRetention(of: files.map(\.record), by: rules, now: day(now))
    }

    private func deleted(_ lines: [PlanLine]) -> [Int64] {
        lines.filter { $0.action == .delete }.map(\.episode.id.rawValue)
    }

    @Test func `without keep everything stays`() {
        let lines = plan([file(3), file(2), file(1)], keep: .all)
        #expect(deleted(lines) == [])
        #expect(lines[0].reason == "no rule says that it must go")
    }

    @Test func `a count keeps the newest`() {
        let lines = plan([file(3), file(2), file(1)], keep: .files(2))
        #expect(deleted(lines) == [1])
        #expect(lines.map(\.reason).last == "'keep' is 2, and newer files are there")
        #expect(lines[0].reason == "one of the newest 2 files")
    }

    @Test func `an old file goes once the new one has come`() {
        var rules = PolicyRules()
        rules.keep = .files(1)
        let files = [file(2).record, file(1).record]
        let lines = planRetention(of: files, coming: [EpisodeFixture(3).record], by: rules, now: day(40))
        #expect(lines.map(\.action) == [.delete, .delete])
        #expect(lines.map(\.waitsForDownloads) == [true, false])
        #expect(lines[0].reason == "'keep' is 1, and a newer file comes")
    }

    private func rulesOfTurns(_ keep: Int, latest: Int) -> PolicyRules {
        var rules = PolicyRules()
        (rules.order, rules.latest, rules.keep) = (.oldest, latest, .files(keep))
        return rules
    }

    private func coming(_ episodes: [EpisodeFixture], _ rules: PolicyRules) -> [EpisodeRecord] {
        planDownloads(of: episodes.map(\.record), by: rules).filter { $0.action == .download }.map(\.episode)
    }

    @Test func `where the oldest are heard first, what was heard goes and what comes next stays`() {
        let rules = rulesOfTurns(3, latest: 3)
        let played = file(1) { $0.isPlayed = true }
        let here = [file(3), file(2), played]
        let coming = coming([EpisodeFixture(5), EpisodeFixture(4)] + here, rules)
        #expect(coming.map(\.id.rawValue) == [4])
        let lines = planRetention(of: here.map(\.record), coming: coming, by: rules, now: day(40))
        #expect(deleted(lines) == [1])
        #expect(
            lines[2].reason == "'keep' is 3, and the next to listen to come" && lines[2].waitsForDownloads)
        #expect(lines[0].reason == "one of the next 3 to listen to")
        // A smaller number takes what is farthest from its turn.
        let fewer = planRetention(of: here.map(\.record), by: rulesOfTurns(1, latest: 1), now: day(40))
        #expect(deleted(fewer) == [3, 1])
        #expect(fewer[0].reason == "'keep' is 1, and the next to listen to is there")
    }

    @Test(arguments: [(3, [1]), (2, []), (5, [1, 2, 3])])
    func `files whose turn comes later are not lost to those before them`(_ keep: Int, _ expected: [Int64]) {
        // As when a show of which the newest were fetched is heard from its beginning now.
        let rules = rulesOfTurns(keep, latest: 3)
        let here = [file(9), file(8)]
        let coming = coming(here + [4, 3, 2, 1].map { EpisodeFixture($0) }, rules)
        #expect(coming.map(\.id.rawValue) == expected)
        let files = (here + expected.reversed().map { file(Int($0)) }).map(\.record)
        for lines in [
            planRetention(of: here.map(\.record), coming: coming, by: rules, now: day(40)),
            planRetention(of: files, by: rules, now: day(40)),
        ] {
            #expect(deleted(lines) == [])
        }
        if keep == 2 {
            let lines = planDownloads(of: (here + [EpisodeFixture(1)]).map(\.record), by: rules)
            #expect(lines.last?.reason == "files that nobody has heard take the places that 'keep' leaves")
        }
    }

    @Test
    func `for a new episode no part goes that is to be heard in its turn, and without one it goes last`() {
        let coming = PlanLine(
            episode: EpisodeFixture(9).with { $0.byteCount = 100 }.record, action: .download, reason: "")
        let parts = planRetention(
            of: [file(3), file(2)].map(\.record), by: rulesOfTurns(9, latest: 9), now: day(40))
        #expect(fitPlan([coming] + parts, into: 250).map(\.action) == [.skip, .keep, .keep])
        let others = planRetention(of: [file(5), file(4)].map(\.record), by: PolicyRules(), now: day(40))
        #expect(
            fitPlan([coming] + parts + others, into: 450).map(\.action)
                == [.download, .keep, .keep, .keep, .delete])
        #expect(fitPlan(parts + others, into: 150).map(\.action) == [.delete, .keep, .delete, .delete])
    }

    @Test func `what the filters pass over goes before what is fetched in its stead`() {
        var rules = PolicyRules()
        (rules.latest, rules.keep, rules.types) = (3, .files(3), ["full"])
        let trailers = [9, 8].map { file($0) { $0.type = "trailer" }.record }
        let full = [5, 4, 3].map { EpisodeFixture($0) }
        let before = trailers + [file(5).record]
        let coming = planDownloads(of: before + full[1...].map(\.record), by: rules)
            .filter { $0.action == .download }.map(\.episode)
        #expect(coming.map(\.id.rawValue) == [4, 3])
        let lines = planRetention(of: before, coming: coming, by: rules, now: day(40))
        #expect(deleted(lines) == [9, 8])
        #expect(lines.map(\.waitsForDownloads) == [true, true, false])
        #expect(lines[0].reason == "'keep' is 3, and it is a trailer")
        let after = planRetention(
            of: trailers + full.map { file($0.number).record }, by: rules, now: day(40))
        #expect(deleted(after) == [9, 8])
        #expect(deleted(planRetention(of: before, by: rules, now: day(40))) == [], "there is room")
    }

    @Test func `a time counts from the download`() {
        let lines = plan([file(30), file(10), file(9)], keep: .days(30))
        #expect(deleted(lines) == [9])
        #expect(lines[2].reason == "'keep' is 30d, and it was downloaded 31 days ago")
        #expect(lines[0].reason == "downloaded less than 30 days ago")
    }

    enum Hold: String, CaseIterable, Sendable {
        case kept = "marked 'keep'"
        case begun = "in progress"
        case requested = "requested by hand"

        func apply(to file: inout EpisodeFixture) {
            switch self {
            case .kept: file.isKept = true
            case .begun: file.position = .seconds(1)
            case .requested: file.origin = .user
            }
        }
    }

    @Test(arguments: Hold.allCases)
    func `no rule touches what the user holds on to`(_ hold: Hold) {
        let files = [file(3, hold.apply), file(2), file(1, hold.apply)]
        for keep in [Keep.files(0), .days(1)] {
            let lines = plan(files, keep: keep)
            #expect(deleted(lines) == [2])
            #expect(lines[0].reason == hold.rawValue)
            #expect(lines[2].reason == hold.rawValue)
        }
        // It takes no place in the count either.
        #expect(deleted(plan(files, keep: .files(1))) == [])
        // Nor does the storage limit touch it.
        #expect(deleted(fitPlan(plan(files, keep: .all), into: 50)) == [2])
    }

    @Test func `an episode played to its end is not in progress`() {
        let played = file(1) {
            $0.isPlayed = true; $0.position = .seconds(10)
        }
        #expect(deleted(plan([played], keep: .files(0))) == [1])
    }

    @Test func `over the limit, what is played goes first, then the oldest`() {
        let files = [file(4) { $0.isPlayed = true }, file(3), file(2), file(1)]
        let lines = fitPlan(plan(files, keep: .all), into: 200)
        #expect(deleted(lines) == [4, 1])
        #expect(lines.first?.reason == "'storageLimit' is reached, and it is played")
        #expect(lines.last?.reason == "'storageLimit' is reached, and it is the oldest")
    }

    @Test func `a new episode takes the place of an older file, never of a newer one`() {
        let wanted = EpisodeFixture(5).with { $0.byteCount = 150 }.record
        let line = PlanLine(episode: wanted, action: .download, reason: "the newest episode")
        let roomy = fitPlan([line] + plan([file(4), file(3), file(2)], keep: .all), into: 300)
        #expect(deleted(roomy) == [3, 2])
        #expect(roomy[0].action == .download)

        let newer = fitPlan([line] + plan([file(8), file(7), file(6)], keep: .all), into: 300)
        #expect(deleted(newer) == [])
        #expect(newer[0].action == .skip)
        #expect(newer[0].reason == "no room for it within 'storageLimit'")
    }

    @Test func `a download that cannot fit deletes nothing`() {
        let wanted = EpisodeFixture(5).with { $0.byteCount = 1000 }.record
        let line = PlanLine(episode: wanted, action: .download, reason: "the newest episode")
        let lines = fitPlan([line] + plan([file(4), file(3)], keep: .all), into: 300)
        #expect(deleted(lines) == [])
        #expect(lines[0].action == .skip)
    }

    @Test func `a size beyond any number finds no room, and breaks nothing`() {
        let coming = (4...5).map { number in
            PlanLine(
                episode: EpisodeFixture(number).with { $0.byteCount = .max }.record, action: .download,
                reason: "the newest episode")
        }
        let lines = fitPlan(plan([file(3)], keep: .all) + coming, into: 1000)
        #expect(lines.map(\.action) == [.keep, .skip, .skip])
        let queued = coming.map { line in
            PlanLine(
                episode: EpisodeFixture(Int(line.episode.id.rawValue)).with {
                    $0.byteCount = .max; $0.state = .queued
                }.record, action: .download, reason: line.reason)
        }
        let pending = fitPlan(plan([file(3)], keep: .all) + queued, into: 1000)
        #expect(pending.map(\.action) == [.keep, .skip, .skip])
        #expect(pending[1].reason == "no room for it within 'storageLimit'" && pending[1].leavesQueue)
        let own = queued.map { line in
            PlanLine(
                episode: EpisodeFixture(Int(line.episode.id.rawValue)).with {
                    $0.byteCount = .max; $0.state = .queued; $0.origin = .user
                }.record, action: .download, reason: line.reason)
        }
        let wanted = fitPlan(own, into: 1000)
        #expect(wanted.allSatisfy { $0.action == .skip && !$0.leavesQueue })
        #expect(wanted[0].reason == "no room for it within 'storageLimit', and it stays in the queue")
    }

    @Test func `no room is made for the rules while the user waits for some`() {
        func coming(_ number: Int, _ size: Int64, _ origin: DownloadOrigin) -> PlanLine {
            PlanLine(
                episode: EpisodeFixture(number).with {
                    $0.byteCount = size; $0.state = .queued; $0.origin = origin
                }.record, action: .download, reason: "")
        }
        let here = plan([file(2) { $0.byteCount = 200 }], keep: .all)
        let lines = fitPlan([coming(9, 150, .policy), coming(1, 200, .user)] + here, into: 300)
        #expect(lines.map(\.action) == [.skip, .skip, .keep])
        // What is free is anybody's.
        #expect(
            fitPlan([coming(9, 90, .policy), coming(1, 200, .user)] + here, into: 300).map(\.action)
                == [.download, .skip, .keep])
    }

    @Test func `where not all downloads fit, the newest do`() {
        let wanted = [3, 5, 4].map { number in
            PlanLine(
                episode: EpisodeFixture(number).with { $0.byteCount = 100 }.record, action: .download,
                reason: "one of the newest 3")
        }
        #expect(fitPlan(wanted, into: 200).map(\.action) == [.skip, .download, .download])
    }
}
