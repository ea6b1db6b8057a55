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
        ("{ latest: 'three' }", "the value of 'latest' is of the wrong kind"),
        ("{ latest: -1 }", "'latest' must be from 0 to 10000, not -1"),
        ("{ latest: 3", "it is not valid JSON5"),
        ("[]", "the settings must be one object { … }"),
    ])
    func `a mistake is named`(_ text: String, _ message: String) {
        let error = #expect(throws: SettingsError.self) { try self.settings(text) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `no file means the defaults`() throws {
        #expect(try Settings(file: "/nowhere/config.json5") == Settings())
    }
}
