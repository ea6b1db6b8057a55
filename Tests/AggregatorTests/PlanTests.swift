import EpisodeStore
import Testing

@testable import Aggregator

@Suite struct PlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rules: @Sendable (inout PolicyRules) -> Void
        /// Newest first.
        let episodes: [EpisodeFixture]
        let downloaded: [Int]
        let reason: (number: Int, text: String)

        init(
            _ description: String, _ episodes: [EpisodeFixture], downloads downloaded: [Int],
            because reason: (Int, String), rules: @escaping @Sendable (inout PolicyRules) -> Void = { _ in }
        ) {
            testDescription = description
            self.rules = rules
            self.episodes = episodes
            self.downloaded = downloaded
            self.reason = (reason.0, reason.1)
        }
    }

    private static let three = [3, 2, 1].map { EpisodeFixture($0) }

    /// Three episodes, the one in the middle changed.
    private static func middle(_ change: (inout EpisodeFixture) -> Void) -> [EpisodeFixture] {
        [EpisodeFixture(3), EpisodeFixture(2).with(change), EpisodeFixture(1)]
    }

    private static func newest(_ change: (inout EpisodeFixture) -> Void) -> [EpisodeFixture] {
        [EpisodeFixture(3).with(change), EpisodeFixture(2), EpisodeFixture(1)]
    }

    @Test(arguments: [
        Case("the newest without any setting", three, downloads: [3], because: (3, "the newest episode")),
        Case("older ones are left", three, downloads: [3], because: (1, "it is not the newest episode")),
        Case("latest 2", three, downloads: [3, 2], because: (2, "one of the newest 2")) { $0.latest = 2 },
        Case("latest 0", three, downloads: [], because: (3, "'latest' is 0")) { $0.latest = 0 },
        Case(
            "no more than keep leaves", three, downloads: [3],
            because: (2, "'keep' leaves fewer files than 'latest' asks for")
        ) {
            $0.latest = 3
            $0.keep = .files(1)
        },
        Case(
            "one that was played is not fetched, and keeps its place", newest { $0.isPlayed = true },
            downloads: [],
            because: (3, "played already")),
        Case(
            "one without a file takes no place", newest { $0.isDownloadable = false }, downloads: [2],
            because: (3, "the feed has no file for it")),
        Case(
            "one that left the feed takes no place", newest { $0.isListed = false }, downloads: [2],
            because: (3, "it left the feed")),
        Case(
            "a suspected duplicate takes no place", newest { $0.isSuspectedDuplicate = true }, downloads: [2],
            because: (3, "it looks like an episode that is known already")),
        Case(
            "a deleted one keeps its place",
            newest {
                $0.state = .deleted; $0.reason = "deleted by the user"
            },
            downloads: [], because: (3, "deleted (deleted by the user)")),
        Case(
            "a missing one keeps its place", newest { $0.state = .missing }, downloads: [],
            because: (3, "its file was removed by hand")),
        Case(
            "a paused one stays paused", newest { $0.state = .paused }, downloads: [],
            because: (3, "paused by hand")),
        Case(
            "one that is there keeps its place", newest { $0.state = .done }, downloads: [],
            because: (2, "it is not the newest episode")),
        Case(
            "a trailer that is there takes no place of full episodes",
            newest {
                $0.state = .done; $0.type = "trailer"
            }, downloads: [2], because: (2, "the newest episode")
        ) { $0.types = ["full"] },
        Case(
            "a file with a title that is not wanted takes no place, nor among the first",
            [3, 2, 1].map { number in
                EpisodeFixture(number).with {
                    $0.isOldNews = true
                    if number == 3 { $0.state = .done; $0.title = "A rerun" }
                }
            }, downloads: [2], because: (2, "the newest of those that were there first")
        ) {
            $0.first = 1
            $0.exclude = TitlePattern("rerun")
        },
        Case(
            "a file that is too short keeps its place, for the feed need not tell how long the next one is",
            newest {
                $0.state = .done; $0.duration = .seconds(10); $0.isDurationOfFeed = false
            }, downloads: [], because: (2, "it is not the newest episode")
        ) { $0.minDuration = .seconds(60) },
        Case(
            "one that its feed tells to be too short takes none",
            newest {
                $0.state = .done; $0.duration = .seconds(10)
            }, downloads: [2], because: (2, "the newest episode")
        ) { $0.minDuration = .seconds(60) },
        Case(
            "of the oldest, a trailer that is there takes no place either",
            [
                EpisodeFixture(3), EpisodeFixture(2),
                EpisodeFixture(1).with {
                    $0.state = .done; $0.type = "trailer"
                },
            ],
            downloads: [2], because: (2, "the next to listen to")
        ) {
            $0.order = .oldest
            $0.types = ["full"]
        },
        Case(
            "a failure for good is not tried in a circle",
            newest {
                $0.state = .failed; $0.reason = "not found (404)"
            }, downloads: [],
            because: (3, "the download failed (not found (404))")),
        Case(
            "a failure for the moment is tried again",
            newest {
                $0.state = .failed; $0.mayRecover = true
            },
            downloads: [3], because: (3, "the newest episode")),
        Case(
            "what is queued goes on, wanted or not",
            [
                EpisodeFixture(3),
                EpisodeFixture(2).with {
                    $0.state = .queued; $0.origin = .user
                },
            ],
            downloads: [3, 2], because: (2, "requested by hand, and still in the queue")),
        Case(
            "include", middle { $0.title = "INTERVIEW with a miller" }, downloads: [2],
            because: (3, "its title does not fit 'include'")
        ) { $0.include = TitlePattern("interview|special") },
        Case(
            "exclude", newest { $0.title = "Rerun: the harbour" }, downloads: [2],
            because: (3, "its title fits 'exclude'")
        ) { $0.exclude = TitlePattern("^rerun") },
        Case(
            "minDuration", newest { $0.duration = .seconds(59) }, downloads: [2],
            because: (3, "it is shorter than 'minDuration'")
        ) { $0.minDuration = .seconds(60) },
        Case(
            "maxDuration", newest { $0.duration = .seconds(61) }, downloads: [2],
            because: (3, "it is longer than 'maxDuration'")
        ) { $0.maxDuration = .seconds(60) },
        Case(
            "an unknown duration is neither too short nor too long", three, downloads: [3],
            because: (3, "the newest episode")
        ) {
            $0.minDuration = .seconds(60)
            $0.maxDuration = .seconds(61)
        },
        Case(
            "trailers are skipped", newest { $0.type = "trailer" }, downloads: [2],
            because: (3, "it is a trailer")
        ) { $0.types = ["full"] },
        Case(
            "bonus episodes are skipped", newest { $0.type = "Bonus" }, downloads: [2],
            because: (3, "it is a bonus episode")
        ) { $0.types = ["full", "trailer"] },
        Case(
            "only trailers", middle { $0.type = "trailer" }, downloads: [2],
            because: (3, "it is a full episode")
        ) { $0.types = ["trailer"] },
        Case(
            "from the beginning", three, downloads: [1, 2], because: (3, "its turn comes later")
        ) {
            $0.order = .oldest
            $0.latest = 2
        },
        Case(
            "a serial by season and number, whatever the dates say",
            [
                EpisodeFixture(3).with {
                    $0.season = 1
                    $0.episode = 2
                },
                EpisodeFixture(2).with { $0.season = 1 },
                EpisodeFixture(1).with {
                    $0.season = 2
                    $0.episode = 1
                },
            ],
            downloads: [3, 2], because: (1, "its turn comes later")
        ) {
            $0.order = .oldest
            $0.isSerial = true
            $0.latest = 2
        },
        Case(
            "from the beginning, what is played makes room",
            [
                EpisodeFixture(3), EpisodeFixture(2),
                EpisodeFixture(1).with {
                    $0.isPlayed = true; $0.state = .done
                },
            ],
            downloads: [2], because: (2, "the next to listen to")
        ) { $0.order = .oldest },
        Case(
            "from the beginning, what is unplayed waits for the listener",
            [EpisodeFixture(3), EpisodeFixture(2), EpisodeFixture(1).with { $0.state = .done }],
            downloads: [], because: (2, "its turn comes later")
        ) { $0.order = .oldest },
    ])
    func `each rule chooses, and says why`(_ test: Case) throws {
        var rules = PolicyRules()
        test.rules(&rules)
        let lines = planDownloads(of: test.episodes.map(\.record), by: rules)
        #expect(
            lines.filter { $0.action == .download }.map { Int($0.episode.id.rawValue) } == test.downloaded)
        let told = try #require(lines.first { Int($0.episode.id.rawValue) == test.reason.number })
        #expect(told.reason == test.reason.text)
    }

    @Test func `of a feed with 500 episodes only the first are downloaded, the rest is old news`() {
        var rules = PolicyRules()
        rules.first = 2
        rules.latest = 5
        let old = (1...500).reversed().map { EpisodeFixture($0).with { $0.isOldNews = true }.record }
        let lines = planDownloads(of: old, by: rules)
        #expect(lines.filter { $0.action == .download }.map(\.episode.id.rawValue) == [500, 499])
        #expect(lines.last?.reason == "it was there when you subscribed, and 'first' is 2")

        // What comes later counts by `latest`, and brings no old news with it.
        let news = (501...503).reversed().map { EpisodeFixture($0).record }
        let later = planDownloads(of: news + old, by: rules)
        #expect(
            later.filter { $0.action == .download }.map(\.episode.id.rawValue) == [503, 502, 501, 500, 499])
    }

    @Test func `a feed's own settings override the global ones one by one`() {
        var global = FeedSettings()
        global.latest = 4
        global.exclude = "rerun"
        global.keep = "10"
        global.maxDuration = .seconds(60)
        var feed = FeedSettings()
        feed.latest = 2
        feed.exclude = ""
        feed.maxDuration = .zero
        let rules = PolicyRules(feed, over: global)
        #expect(rules.latest == 2)
        #expect(rules.exclude == nil)
        #expect(rules.maxDuration == nil)
        #expect(rules.keep == .files(10))
        #expect(PolicyRules(FeedSettings(), over: global).exclude?.fits("A RERUN") == true)
    }

    @Test func `a pattern cannot be kept busy by a title`() throws {
        let pattern = try #require(TitlePattern("^(a+)+$"))
        #expect(!pattern.fits(String(repeating: "a", count: 5000) + "b"))
        #expect(TitlePattern("(a)\\1") == nil)
        // The C library would write these out: gigabytes for a few bytes.
        #expect(TitlePattern("((a{1,99}){1,99}){1,99}") == nil)
        #expect(TitlePattern("(a{9999}){9999}") == nil)
        #expect(TitlePattern("^[0-9]{4}-[0-9]{2}-[0-9]{2} .{3,80}$") != nil)
        #expect(TitlePattern("(") == nil)
    }
}
