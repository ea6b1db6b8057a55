import Testing

@testable import EpisodeStore

@Suite struct ContentHashTests {
    @Test func `the hash is the same in every process and every version`() {
        #expect(hash("Night trains", nil, "") == 16_262_083_823_421_807_647)
    }

    @Test func `what moves from one field to another changes the hash`() {
        let variants = [
            hash("ab", "c"), hash("a", "bc"), hash("abc", ""), hash("abc", nil), hash(nil, "abc"),
            hash("", "abc"),
            hash("abc\0", ""), hash("12345678", ""), hash("1234567", "8"),
        ]
        #expect(Set(variants).count == variants.count)
    }

    @Test func `every field of an episode counts`() {
        let changes: [(inout IncomingEpisode) -> Void] = [
            { $0.guid = "x" }, { $0.title = "x" }, { $0.link = "x" }, { $0.published = day(99) },
            { $0.updated = day(99) }, { $0.summary = "x" }, { $0.contentHTML = "x" }, { $0.author = "x" },
            { $0.image = "x" }, { $0.duration = .seconds(99) }, { $0.season = 9 }, { $0.episode = 9 },
            { $0.episodeType = "bonus" }, { $0.isExplicit = true }, { $0.enclosures[0].url = "x" },
            { $0.enclosures[0].type = "x" }, { $0.enclosures[0].length = 9 },
            { $0.enclosures[0].title = "x" },
            { $0.enclosures.append(Enclosure(url: "x")) },
            { $0.alternateEnclosures = [AlternateEnclosure()] },
            { $0.chapters = [Chapter(start: .zero)] }, { $0.chaptersURL = ChaptersLink(url: "x") },
            { $0.transcripts = [TranscriptLink(url: "x")] },
            { $0.transcript = [TranscriptSegment(text: "x")] },
            { $0.persons = [Person(name: "x")] }, { $0.categories = ["x"] }, { $0.status = "ready" },
            { $0.isStream = true },
        ]
        let hashes = changes.map { change in
            var episode = item(1)
            change(&episode)
            return EpisodeRow(episode).contentHash
        }
        #expect(Set(hashes + [EpisodeRow(item(1)).contentHash]).count == changes.count + 1)
    }

    private func hash(_ texts: String?...) -> UInt64 {
        var hash = ContentHash()
        for text in texts { hash.combine(text) }
        return hash.value
    }
}
