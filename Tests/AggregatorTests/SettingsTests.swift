import EpisodeStore
import Foundation
import Testing

@testable import Aggregator

@Suite struct SettingsTests {
    private func settings(_ text: String) throws(SettingsError) -> Settings {
        try Settings(json5: Data(text.utf8))
    }

    @Test func `JSON5 with comments and trailing commas is read`() throws {
        let settings = try settings("{ // newest\n latest: 3, transfersPerHost: 1, library: '~/Casts', }")
        #expect(settings.latest == 3)
        #expect(settings.transfers == 3)
        #expect(settings.transfersPerHost == 1)
        #expect(settings.library == "~/Casts")
    }

    @Test func `hooks are programs with arguments`() throws {
        let hooks = try settings("{ hooks: { downloaded: ['notify', '-u', ''], timeLimit: 5 } }").hooks
        #expect(hooks.downloaded == ["notify", "-u", ""])
        #expect(hooks.failed == nil)
        #expect(hooks.timeLimit == .seconds(5))
        #expect(try settings("{ hooks: null, latest: 2 }").hooks == HookSettings())
    }

    @Test(arguments: [
        ("{ hooks: { synced: 'logger' } }", "the value of 'hooks.synced' is of the wrong kind"),
        ("{ hooks: { synced: [] } }", "'hooks.synced' must be a program and its arguments"),
        ("{ hooks: { synced: [''] } }", "'hooks.synced' must be a program and its arguments"),
        ("{ hooks: { sinced: ['x'] } }", "there is no hook 'sinced'; 'hooks' takes downloaded, failed"),
        ("{ hooks: { timeLimit: 0 } }", "'hooks.timeLimit' must be from 1 to 86400 seconds, not 0"),
        ("{ hooks: [] }", "the value of 'hooks' is of the wrong kind"),
        ("{ latets: 3 }", "there is no setting 'latets'"),
        ("{ latest: 'three' }", "'latest' must be a whole number from 0 to 10000, not 'three'"),
        ("{ latest: -1 }", "'latest' must be a whole number from 0 to 10000, not '-1'"),
        ("{ latest: { a: 1 } }", "the value of 'latest' is of the wrong kind"),
        ("{ Latest: 3 }", "there is no setting 'Latest'"),
        ("{ name: 'x' }", "there is no setting 'name'"),
        (
            "{ keep: 'always' }",
            "'keep' must be a number of files (10), a time (30d, 4w) or all, not 'always'"
        ),
        ("{ include: '(' }", "'include' must be a regular expression as 'grep -E' takes it, not '('"),
        (
            "{ types: ['full', 'half'] }",
            "'types' must be a list of full, trailer and bonus, such as full,bonus, not 'half'"
        ),
        (
            "{ minDuration: 10 }",
            "'minDuration' must be a length such as 90s, 10m, 1h30m or 1:30:00, not '10'"
        ),
        (
            "{ storageLimit: 'much' }",
            "'storageLimit' must be a size such as 500M, 20 GB or 1 GiB, not 'much'"
        ),
        ("{ metered: 'no' }", "'metered' must be wait or ignore, not 'no'"),
        ("{ latest: 3", "it is not valid JSON5"),
        ("[]", "the settings must be one object { … }"),
    ])
    func `a mistake is named`(_ text: String, _ message: String) {
        let error = #expect(throws: SettingsError.self) { try self.settings(text) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `sizes are given in MiB and KiB`() throws {
        let settings = try settings("{ reserve: '0 B', storageLimit: '2 GiB', bandwidth: '500 KiB' }")
        #expect(settings.bandwidthLimit == 512_000)
        #expect(settings.reserve == 0)
        #expect(settings.storageLimit == 2_147_483_648)
        #expect(Settings().reserve == 1_073_741_824)
        #expect(Settings().storageLimit == nil)
    }

    @Test func `no file means the defaults`() throws {
        #expect(try Settings(file: "/nowhere/config.json5") == Settings())
    }

    @Test func `the policy for all feeds is read`() throws {
        let settings = try settings(
            """
            { first: 0, keep: "4w", order: 'oldest', include: "a", exclude: "b", minDuration: "1h30m",
              maxDuration: "1:30:01", types: ["bonus", "full"], storageLimit: "1.5 GB" }
            """)
        #expect(settings.forFeeds.first == 0)
        #expect(settings.forFeeds.keep == "4w")
        #expect(settings.forFeeds.order == "oldest")
        #expect(settings.forFeeds.include == "a")
        #expect(settings.forFeeds.exclude == "b")
        #expect(settings.forFeeds.minDuration == .seconds(5400))
        #expect(settings.forFeeds.maxDuration == .seconds(5401))
        #expect(settings.forFeeds.types == ["full", "bonus"])
        #expect(settings.storageLimit == 1_500_000_000)
    }
}
