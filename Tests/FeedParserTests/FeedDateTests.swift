import TestServer
import Testing

@testable import FeedParser

@Suite struct FeedDateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let instant: String?

        init(_ text: String, _ instant: String?) {
            self.text = text
            self.instant = instant
        }

        var testDescription: String { "“\(text)”" }
    }

    @Test(arguments: [
        Case("Wed, 07 Aug 2024 18:05:09 GMT", "2024-08-07T18:05:09Z"),
        Case("7 Aug 2024 18:05 +0200", "2024-08-07T16:05:00Z"),
        Case("Wed, 7 Aug 2024 8:5:9 -0330", "2024-08-07T11:35:09Z"),
        Case("Mon, 7 Aug 2024 18:05:09 GMT", "2024-08-07T18:05:09Z"),
        Case("wednesday, 7 AUGUST 2024 18:05:09 gmt", "2024-08-07T18:05:09Z"),
        Case("Thurs, 19 Sept 2024 06:00:00 UT", "2024-09-19T06:00:00Z"),
        Case("  Wed ,  07   Aug  2024   18:05:09  GMT ", "2024-08-07T18:05:09Z"),
        Case("Wed 07 Aug 2024, 18:05:09", "2024-08-07T18:05:09Z"),
        Case("Wed,07 Aug 24 18:05:09 Z", "2024-08-07T18:05:09Z"),
        Case("07-Aug-2024 18:05:09 GMT", "2024-08-07T18:05:09Z"),
        Case("Wed, 7th Aug 2024 18:05:09 GMT", "2024-08-07T18:05:09Z"),
        Case("Wed, 7 Aug 1968 18:05:09 GMT", "1968-08-07T18:05:09Z"),
        Case("Sat, 7 Aug 99 18:05:09 GMT", "1999-08-07T18:05:09Z"),
        Case("Sat, 7 Aug 2094 18:05:09 GMT", "2094-08-07T18:05:09Z"),
        Case("Wed, 7 Aug 2024", "2024-08-07T00:00:00Z"),
        Case("7 Aug 2024 GMT", "2024-08-07T00:00:00Z"),
        Case("Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00Z"),
    ])
    func `mail dates are read, mended where they are broken`(_ test: Case) {
        expect(test)
    }

    @Test func `the usual form of a mail date is read in its short way as in the long one`() {
        var numbers = SeededNumbers(seed: 7)
        func number(_ range: ClosedRange<Int>, digits: Int) -> String {
            let text = String(Int.random(in: range, using: &numbers))
            return String(repeating: "0", count: digits - text.count) + text
        }
        var readable = 0
        for _ in 0..<5_000 {
            let weekday = ["Sun, ", "tue, ", "Wed, ", "Sat, ", ""].randomElement(using: &numbers) ?? ""
            let month =
                ["Jan", "FEB", "Mar", "Apr", "Jun", "Sep", "Dec", "Xyz"].randomElement(using: &numbers) ?? ""
            let zone =
                ["GMT", "+0000", "-0330", "+1400", "-2459", "+0060"].randomElement(using: &numbers) ?? ""
            let text =
                weekday + number(0...32, digits: 2) + " \(month) " + number(999...9999, digits: 4) + " "
                + number(0...25, digits: 2) + ":" + number(0...61, digits: 2) + ":"
                + number(0...61, digits: 2)
                + " \(zone)"
            let date = parseFeedDate(text)
            // With a blank before it, it is not in the usual form.
            #expect(date == parseFeedDate(" " + text), "\(text)")
            if date != nil { readable += 1 }
        }
        #expect(readable > 1_000)
    }

    @Test(arguments: [
        Case("2024-08-07T18:05:09Z", "2024-08-07T18:05:09Z"),
        Case("2024-08-07t18:05:09.987654z", "2024-08-07T18:05:09Z"),
        Case("2024-08-07T18:05:09,5+05:45", "2024-08-07T12:20:09Z"),
        Case("2024-08-07T18:05:09-03:00Z", "2024-08-07T21:05:09Z"),
        Case("2024-08-07 18:05:09", "2024-08-07T18:05:09Z"),
        Case("2024-08-07T18:05", "2024-08-07T18:05:00Z"),
        Case("2024-08-07T24:00:00Z", "2024-08-08T00:00:00Z"),
        Case("20240807T180509Z", "2024-08-07T18:05:09Z"),
        Case("20240807T1805", "2024-08-07T18:05:00Z"),
        Case("20240807", "2024-08-07T00:00:00Z"),
        Case("2024-220", "2024-08-07T00:00:00Z"),
        Case("2024220", "2024-08-07T00:00:00Z"),
        Case("2024-08", "2024-08-01T00:00:00Z"),
        Case("2024", "2024-01-01T00:00:00Z"),
        Case("24-08-07", "2024-08-07T00:00:00Z"),
        Case("-24-08", "2024-08-01T00:00:00Z"),
        Case("-2408", "2024-08-01T00:00:00Z"),
        Case("2024-19-08T10:00:00Z", "2024-08-19T10:00:00Z"),
        Case("2024/8/7 18:05:09", "2024-08-07T18:05:09Z"),
    ])
    func `ISO 8601 is read in its many forms`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        Case("Wed Aug  7 18:05:09 2024", "2024-08-07T18:05:09Z"),
        Case("Wed Aug 7 18:05:09 CEST 2024", "2024-08-07T16:05:09Z"),
        Case("Wed Aug 07 2024 18:05:09 GMT+0200 (Central European Summer Time)", "2024-08-07T16:05:09Z"),
        Case("August 7, 2024 at 6:05 p.m.", "2024-08-07T18:05:00Z"),
        Case("Aug. 7, 2024 12:05 am", "2024-08-07T00:05:00Z"),
        Case("7 August 2024 - 6pm", "2024-08-07T18:00:00Z"),
        Case("Aug 2024", "2024-08-01T00:00:00Z"),
        Case("08/19/2024 18:05", "2024-08-19T18:05:00Z"),
        Case("19/08/2024 18:05", "2024-08-19T18:05:00Z"),
        Case("07.08.2024 18:05", "2024-08-07T18:05:00Z"),
        Case("Wed, 08/07/2024", "2024-08-07T00:00:00Z"),
        Case("Wed, 07/08/2024", "2024-08-07T00:00:00Z"),
        Case("1723053909", "2024-08-07T18:05:09Z"),
        Case("1723053909123", "2024-08-07T18:05:09Z"),
    ])
    func `dates of other programs are read`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        Case("7 Aug 2024 18:05:09 PST", "2024-08-08T02:05:09Z"),
        Case("7 Aug 2024 18:05:09 +02:00", "2024-08-07T16:05:09Z"),
        Case("7 Aug 2024 18:05:09 GMT+2", "2024-08-07T16:05:09Z"),
        Case("7 Aug 2024 18:05:09 AEST", "2024-08-07T08:05:09Z"),
        Case("7 Aug 2024 18:05:09 QQT", "2024-08-07T18:05:09Z"),
        Case("7 Aug 2024 18:05:09 ET", "2024-08-07T22:05:09Z"),
        Case("7 Jan 2024 18:05:09 ET", "2024-01-07T23:05:09Z"),
        Case("7 Aug 2024 18:05:09 Europe/Vienna", "2024-08-07T16:05:09Z"),
        Case("31 Mar 2024 01:59:59 Europe/Vienna", "2024-03-31T00:59:59Z"),
        Case("31 Mar 2024 03:00:00 Europe/Vienna", "2024-03-31T01:00:00Z"),
        Case("10 Mar 2024 01:59:59 America/Chicago", "2024-03-10T07:59:59Z"),
        Case("3 Nov 2024 02:00:00 America/Chicago", "2024-11-03T08:00:00Z"),
    ])
    func `a zone is an offset, a name or a region`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        Case("Mi, 07 Aug 2024 18:05:09 +0200", "2024-08-07T16:05:09Z"),
        Case("Do, 4 Mär 2021 09:00", "2021-03-04T09:00:00Z"),
        Case("mar., 10 déc. 2024 08:00:00 GMT", "2024-12-10T08:00:00Z"),
        Case("7 de agosto de 2024", "2024-08-07T00:00:00Z"),
        Case("2024-augusztus-7T18:05", "2024-08-07T18:05:00Z"),
        Case("Τετ, 07 Αύγ 2024 18:05:09 GMT", "2024-08-07T18:05:09Z"),
        Case("7 августа 2024", "2024-08-07T00:00:00Z"),
        Case("2024년 8월 7일 18:05", "2024-08-07T09:05:00Z"),
        Case("2024-08-07 오후 6:05:09", "2024-08-07T09:05:09Z"),
    ])
    func `month names of other languages are read`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        "", "  ", "yesterday", "Aug", "18:05:09", "7", "Wed, 7 Aug 2024 34:05:09 GMT",
        "Wed, 7 Aug 2024 18:65:09", "Wed, 7 Aug 2024 18:05:61", "Wed, 32 Aug 2024", "30 Feb 2024",
        "29 Feb 2023", "2024-13-32", "2024-00-07", "2024-366-1", "2023-366", "7 Foo 2024",
        "7 Aug 2024 18:05:09 +xx:00", "7 Aug 2024 18:05:09 +24:00", "7 Aug 2024 18:05:09 one two",
        "7 Aug 2024 1:2:3:4", "2024-08-07-08", "Aug 7 8 9 2024", "0000-01-01", "7 Aug 0000",
        "9999-12-31T23:59:59-01:00", "99999999999999999999999999", "7 Aug 2024 <b>",
        String(repeating: "7 Aug 2024 ", count: 100),
    ])
    func `what is no date gives none`(_ text: String) {
        #expect(parseFeedDate(text) == nil)
    }

    @Test func `a substring is read like a string`() {
        #expect(parseFeedDate("pubDate: 2024-08-07".dropFirst(9)) == parseFeedDate("2024-08-07"))
    }

    private func expect(_ test: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(parseFeedDate(test.text).map(rfc3339) == test.instant, sourceLocation: sourceLocation)
    }
}
