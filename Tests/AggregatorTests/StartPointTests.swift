import EpisodeStore
import Testing

@testable import Aggregator

@Suite struct StartPointTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let word: String
        let selector: String
        let start: StartPoint?

        init(_ word: String, _ selector: String, _ start: StartPoint?) {
            self.word = word
            self.selector = selector
            self.start = start
        }

        var testDescription: String { word }
    }

    @Test(arguments: [
        Case("12", "12", nil),
        Case("12@3", "12", .chapter(3)),
        Case("12@12:34", "12", .time(.seconds(754))),
        Case("12@1:02:03", "12", .time(.seconds(3723))),
        Case("12@90s", "12", .time(.seconds(90))),
        Case("show:latest@The end", "show:latest", .title("The end")),
        Case("show:S2E5@0:00", "show:S2E5", .time(.zero)),
        Case("12@0", "12", .title("0")),
        Case("12@1001 nights", "12", .title("1001 nights")),
        Case("12@", "12@", nil),
        Case("12@ ", "12@ ", nil),
        Case("@3", "@3", nil),
        Case("", "", nil),
        Case("https://me@host/feed:latest", "https://me@host/feed:latest", nil),
        Case("https://me@host/feed:latest@4:00", "https://me@host/feed:latest", .time(.seconds(240))),
        Case("a@b@2", "a@b", .chapter(2)),
    ])
    func `the last at sign parts the episode from the point in it`(_ test: Case) {
        let point = EpisodePoint(test.word)
        #expect(point.selector == test.selector)
        #expect(point.start == test.start)
    }

    private static let chapters = [
        Chapter(start: .zero, title: "Intro"), Chapter(start: .seconds(60), title: "News"),
        Chapter(start: .seconds(120)), Chapter(start: .seconds(180), title: "News from abroad"),
        Chapter(start: .seconds(240), title: "2"),
    ]

    @Test(arguments: [
        (StartPoint.time(.seconds(7)), StartPosition.found(.seconds(7))),
        (.chapter(1), .found(.zero)),
        (.chapter(3), .found(.seconds(120))),
        (.chapter(6), .unknown),
        (.title("news"), .found(.seconds(60))),
        (.title("ABROAD"), .found(.seconds(180))),
        (.title("new"), .ambiguous(["News", "News from abroad"])),
        (.title("weather"), .unknown),
    ])
    func `a chapter is found by number, title, or a part of the title`(
        _ point: StartPoint, _ position: StartPosition
    ) {
        #expect(startPosition(of: point, in: Self.chapters) == position)
    }
}
