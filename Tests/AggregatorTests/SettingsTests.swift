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

    @Test(arguments: [
        ("{ latets: 3 }", "there is no setting 'latets'"),
        ("{ latest: 'three' }", "the value of 'latest' is of the wrong kind"),
        ("{ latest: -1 }", "'latest' must be from 0 to 10000, not -1"),
        ("{ metered: 'no' }", "'metered' must be 'wait' or 'ignore', not 'no'"),
        ("{ latest: 3", "it is not valid JSON5"),
        ("[]", "the settings must be one object { … }"),
    ])
    func `a mistake is named`(_ text: String, _ message: String) {
        let error = #expect(throws: SettingsError.self) { try self.settings(text) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `sizes are given in MiB and KiB`() throws {
        let settings = try settings("{ reserveMiB: 0, storageLimitMiB: 2048, bandwidthKiB: 500 }")
        #expect(settings.bandwidthLimit == 512_000)
        #expect(settings.reserve == 0)
        #expect(settings.storageLimit == 2_147_483_648)
        #expect(Settings().reserve == 1_073_741_824)
        #expect(Settings().storageLimit == nil)
    }

    @Test func `no file means the defaults`() throws {
        #expect(try Settings(file: "/nowhere/config.json5") == Settings())
    }
}
