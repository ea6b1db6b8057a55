import Testing

@testable import EpisodeStore

@Suite struct SelectorTests {
    @Test(
        arguments: [
            ("latest", .latest), ("LATEST", .latest), ("all", .all), ("S2", .season(2)),
            ("s2e5", .numbered(season: 2, episode: 5)),
            ("S02E05", .numbered(season: 2, episode: 5)),
            ("E5", .numbered(season: nil, episode: 5)), ("S", nil), ("E", nil), ("E-5", nil), ("S2E", nil),
            ("S2E5E6", nil), ("", nil), ("newest", nil),
        ] as [(String, EpisodeSelection?)])
    func `the part after the colon is read`(text: String, selection: EpisodeSelection?) {
        #expect(EpisodeSelection(text) == selection)
    }

    @Test func `the nearest names are offered for a mistyped one`() {
        let names = ["night-trains", "day-ferries", "night-ferries"]
        #expect(nearestNames(to: "nigth-trains", from: names) == ["night-trains"])
        #expect(nearestNames(to: "x", from: names) == [])
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0),
        ("nigth", "night", 1),
    ])
    func `the distance counts single edits`(left: String, right: String, distance: Int) {
        #expect(editDistance(left, right) == distance)
    }
}
