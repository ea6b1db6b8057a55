import Foundation
import Testing

@testable import EpisodeStore

@Suite(.timeLimit(.minutes(5))) struct LibrarySearchTests {
    private func filledLibrary(path: String = ":memory:") async throws -> Library {
        let library = try Library(path: path)
        let feed = try await library.addFeed(
            NewFeed(url: "https://a.example", title: "Night Trains"), now: day(0)
        ).id
        var first = item(1)
        first.title = "Über die Gleise"
        first.contentHTML =
            "<p>A caf&eacute; at the <b>sta</b>tion &amp; a <a href=\"https://secret.example\">link</a></p>"
        var second = item(2)
        second.title = "Sleepers"
        second.summary = "Iron rails and the sleepers below the night train"
        second.chapters = [
            Chapter(start: .zero, title: "Departure"), Chapter(start: .seconds(60), title: "Border control"),
        ]
        second.transcript = [
            TranscriptSegment(speaker: "Ann", text: "All aboard", start: .seconds(1)),
            TranscriptSegment(
                speaker: "Bob", text: "Tickets and passports please", start: .milliseconds(61_500)),
        ]
        _ = try await library.recordRefresh(of: feed, document([second, first]), now: day(3))
        return library
    }

    @Test(
        arguments: [
            ("gleise", [1]), ("UBER", [1]), ("cafe", [1]), ("café station", [1]), ("sleepers", [2]),
            ("rail*", [2]),
            ("\"night train\"", [2]), ("\"train night\"", []), ("border", [2]), ("passports", [2]),
            ("rails -night", []),
            ("href", []), ("p", []), ("secret", []), ("\"iron rai\"*", [2]), ("amp", []),
            ("AND OR NOT", []), ("title:sleepers", []), ("\"", []), ("***", []), ("", []), ("(", []),
            ("NEAR(a b)", []),
        ] as [(String, [EpisodeID])])
    func `words, phrases and beginnings are found, accents or not`(text: String, found: [EpisodeID])
        async throws
    {
        let library = try await filledLibrary()
        #expect(try await library.search(text).map(\.episode.id) == found)
    }

    @Test func `a match in a title comes before one in the notes`() async throws {
        let library = try await filledLibrary()
        var other = item(3)
        other.summary = "More about sleepers, sleepers and sleepers than anybody wants to know"
        _ = try await library.recordRefresh(of: 1, document([other]), now: day(4))
        #expect(try await library.search("sleepers").map(\.episode.id) == [2, 3])
    }

    @Test func `a snippet shows the words found among their neighbours`() async throws {
        let library = try await filledLibrary()
        let hit = try #require(try await library.search("rails").first)
        #expect(hit.place == .notes)
        #expect(
            hit.snippet == [
                SnippetPart(text: "Iron ", isMatch: false), SnippetPart(text: "rails", isMatch: true),
                SnippetPart(text: " and the sleepers below the night train", isMatch: false),
            ])
        #expect(hit.spoken == nil)
    }

    @Test func `a match in the transcript tells when it is said`() async throws {
        let library = try await filledLibrary()
        let hit = try #require(try await library.search("passports").first)
        #expect(hit.place == .transcript)
        #expect(hit.spoken?.start == .milliseconds(61_500) && hit.spoken?.speaker == "Bob")
        #expect(hit.snippet.map(\.text).joined() == "All aboard Tickets and passports please")
    }

    @Test func `a search right after a refresh sees what is new, changed and gone`() async throws {
        let library = try await filledLibrary()
        #expect(try await library.search("sleepers").count == 1)
        var changed = item(2)
        changed.title = "Couchettes"
        _ = try await library.recordRefresh(of: 1, document([item(3), changed]), now: day(4))
        #expect(try await library.search("sleepers").isEmpty)
        #expect(try await library.search("couchettes").map(\.episode.id) == [2])
        #expect(try await library.search("\"Part 3\"").map(\.episode.id) == [3])
        try await library.checkSearchIndex()
    }

    @Test func `many changes between two searches leave a sound index`() async throws {
        let library = try await filledLibrary()
        for round in 0..<5 {
            for step in 0..<3 {
                var changed = item(2)
                changed.title = "Round \(round) step \(step)"
                changed.enclosures[0].url += "?token=\(round)\(step)"
                _ = try await library.recordRefresh(of: 1, document([changed]), now: day(Double(4 + round)))
            }
            #expect(try await library.search("round").map(\.episode.title) == ["Round \(round) step 2"])
            try await library.checkSearchIndex()
        }
    }

    @Test func `an unsubscribed feed is not searched`() async throws {
        let library = try await filledLibrary()
        try await library.removeFeed(1, now: day(5))
        #expect(try await library.search("sleepers").isEmpty)
    }

    @Test func `a reader sees everything too`() async throws {
        let folder = try ScratchFolder()
        _ = try await filledLibrary(path: folder.database)
        let reader = try Library(path: folder.database, mode: .readOnly)
        #expect(try await reader.search("sleepers").map(\.episode.id) == [2])
    }

    @Test func `of more matches than are worth ranking, those in a title come first`() async throws {
        let library = try await filledLibrary()
        let many = (10..<4010).map { number in
            var episode = item(number)
            episode.summary = "Another word about sleepers"
            return episode
        }
        _ = try await library.recordRefresh(of: 1, document(many), now: day(9000))
        let hits = try await library.search("sleepers", limit: 3)
        #expect(hits.count == 3)
        #expect(hits.first?.episode.title == "Sleepers")
        #expect(hits.dropFirst().allSatisfy { $0.place == .notes })
    }
}

extension Library {
    /// Compares the index with the texts, which throws where they differ.
    fileprivate func checkSearchIndex() throws {
        try connection.execute(
            "INSERT INTO episode_search (episode_search, rank) VALUES ('integrity-check', 1)")
    }
}
