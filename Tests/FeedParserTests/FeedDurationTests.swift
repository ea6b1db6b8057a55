import Testing

@testable import FeedParser

@Suite struct FeedDurationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let seconds: Double

        init(_ text: String, _ seconds: Double) {
            self.text = text
            self.seconds = seconds
        }

        var testDescription: String { "“\(text)”" }
    }

    @Test(arguments: [
        Case("4210", 4210),
        Case("0", 0),
        Case("4210.25", 4210.25),
        Case("70:10", 4210),
        Case("1:10:10", 4210),
        Case("01:10:10.5", 4210.5),
        Case("1:9:7", 4147),
        Case("00:09:7", 547),
        Case("001:10:10", 4210),
        Case("26:00:00", 93_600),
        Case(" \t1:10:10\n", 4210),
        Case("1h 10m", 4200),
        Case("1H10M10S", 4210),
        Case("1 hr, 10 min. 10 sec.", 4210),
        Case("45 minutes", 2700),
        Case("PT1H10M10S", 4210),
        Case("pt70m", 4200),
        Case("P1DT1H", 90_000),
        Case("PT0.5S", 0.5),
        Case("4210000", 4210),
        Case("172800", 172_800),
        Case("3600000000", 3_600_000),
    ])
    func `durations are read in their many forms`(_ test: Case) {
        #expect(parseFeedDuration(test.text) == test.seconds)
    }

    @Test(arguments: [
        "", " ", "nan", "inf", "-5", "-1:10:10", "+5", "1:10:10:10", "1::10", ":10", "10:", "1:10 pm", "long",
        "1e9", "0x10", "10 parsecs", "PT", "P", "PT5", "PT5X", "1.2.3", "٣", "888888888888888.88888888888",
        "3600000001",
        "1000:00:01", "1001h", "PT1000H1S", "12345678901234567890",
        String(repeating: "1:", count: 50),
    ])
    func `what is no duration gives none`(_ text: String) {
        #expect(parseFeedDuration(text) == nil)
    }
}
