import Testing

@testable import EpisodeStore

@Suite struct EpisodeMatchingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var known: [KnownEpisode]
        var incoming: [EpisodeKey]
        var feedLink: String?
        var matches: [EpisodeMatches.Match]

        init(
            _ name: String, known: [EpisodeKey], incoming: [EpisodeKey], feedLink: String? = nil,
            _ matches: [EpisodeMatches.Match]
        ) {
            testDescription = name
            self.known = known.enumerated().map { index, key in
                KnownEpisode(id: EpisodeID(rawValue: Int64(index)), key: key, isListed: true)
            }
            self.incoming = incoming
            self.feedLink = feedLink
            self.matches = matches
        }
    }

    @Test(arguments: [
        Case("nothing changed", known: [key("a")], incoming: [key("a")], [.known(0, .guid)]),
        Case(
            "title, date and enclosure changed",
            known: [key("a", title: "Old", url: "https://m.example/1.mp3", at: 60)],
            incoming: [key("a", title: "New", url: "https://m.example/2.mp3", at: 999)], [.known(0, .guid)]),
        Case(
            "an enclosure moved from one guid to another", known: [key("a", url: "https://m.example/1.mp3")],
            incoming: [key("b", url: "https://m.example/1.mp3"), key("a", url: "https://m.example/2.mp3")],
            [.new, .known(0, .guid)]),
        Case(
            "one guid for all, in another order",
            known: [
                key("0", title: "A", url: "https://m.example/a.mp3"),
                key("0", title: "B", url: "https://m.example/b.mp3"),
            ],
            incoming: [
                key("0", title: "B", url: "https://m.example/b.mp3"),
                key("0", title: "A", url: "https://m.example/a.mp3"),
            ],
            [.known(1, .guid), .known(0, .guid)]),
        Case(
            "one guid for all, one renamed and one added",
            known: [key("0", title: "A", url: "https://m.example/a.mp3")],
            incoming: [
                key("0", title: "B", url: "https://m.example/b.mp3"),
                key("0", title: "A!", url: "https://m.example/a.mp3"),
            ],
            [.new, .known(0, .guid)]),
    ])
    func `rule 1: an equal guid is the same episode`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        Case(
            "a rotating token, the guid rewritten", known: [key("a", url: "https://m.example/1.mp3?token=x")],
            incoming: [key("b", url: "https://m.example/1.mp3?token=y")], [.known(0, .enclosure)]),
        Case(
            "the guid left out", known: [key("a", url: "https://m.example/1.mp3")],
            incoming: [key(nil, url: "https://m.example/1.mp3")], [.known(0, .enclosure)]),
        Case(
            "a guid given for the first time", known: [key(nil, url: "https://m.example/1.mp3")],
            incoming: [key("a", url: "https://m.example/1.mp3")], [.known(0, .enclosure)]),
        Case(
            "one path for all items: the query counts",
            known: [
                key("a", url: "https://m.example/get?id=1"), key("b", url: "https://m.example/get?id=2"),
            ],
            incoming: [
                key("c", url: "https://m.example/get?id=3"), key("d", url: "https://m.example/get?id=2"),
            ],
            [.new, .known(1, .enclosure)]),
        Case(
            "one whole address for all items says nothing",
            known: [
                key("a", url: "https://m.example/soon.mp3"), key("b", url: "https://m.example/soon.mp3"),
            ],
            incoming: [
                key("a", url: "https://m.example/soon.mp3"), key("c", url: "https://m.example/soon.mp3"),
            ],
            [.known(0, .guid), .new]),
        Case(
            "the known guid is still listed", known: [key("a", url: "https://m.example/1.mp3")],
            incoming: [
                key("b", title: "Rerun", url: "https://m.example/1.mp3"),
                key("a", url: "https://m.example/1.mp3"),
            ],
            [.new, .known(0, .guid)]),
    ])
    func `rule 2: an equal enclosure under a new guid is the same episode`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        Case(
            "the link",
            known: [key(nil, title: "Old", link: "https://s.example/1", url: "https://m.example/1.mp3")],
            incoming: [key(nil, title: "New", link: "https://s.example/1", url: "https://m.example/x.mp3")],
            [.known(0, .link)]),
        Case(
            "another link is another episode", known: [key(nil, link: "https://s.example/1", at: 60)],
            incoming: [key(nil, link: "https://s.example/2", at: 60)], [.new]),
        Case(
            "all link to the show's page: the enclosure counts",
            known: [key(nil, link: "https://s.example", url: "https://m.example/get?id=1")],
            incoming: [
                key(nil, title: "Two", link: "https://s.example", url: "https://m.example/get?id=2"),
                key(nil, title: "One", link: "https://s.example", url: "https://m.example/get?id=1"),
            ], feedLink: "https://s.example", [.new, .known(0, .enclosure)]),
        Case(
            "a single item that links to the show's page",
            known: [key(nil, title: "One", link: "https://s.example", url: "https://m.example/1.mp3")],
            incoming: [key(nil, title: "Two", link: "https://s.example", url: "https://m.example/2.mp3")],
            feedLink: "https://s.example", [.new]),
        Case(
            "title and date, for want of all else",
            known: [key(nil, title: "A", at: 60), key(nil, title: "A", at: 120)],
            incoming: [
                key(nil, title: "A", at: 120), key(nil, title: "A", at: 180), key(nil, title: "A", at: 60),
            ],
            [.known(1, .titleAndDate), .new, .known(0, .titleAndDate)]),
    ])
    func `rule 3: without a guid the link counts, else the enclosure, else title and date`(_ test: Case) {
        expect(test)
    }

    @Test(arguments: [
        Case(
            "hourly news: one title, one minute, other guid and address", known: [],
            incoming: [
                key("9", title: "News", url: "https://m.example/9.mp3", at: 60),
                key("8", title: "News", url: "https://m.example/8.mp3", at: 60),
            ], [.new, .new]),
        Case(
            "the second appears beside the first",
            known: [key("8", title: "News", url: "https://m.example/8.mp3", at: 60)],
            incoming: [
                key("9", title: "News", url: "https://m.example/9.mp3", at: 60),
                key("8", title: "News", url: "https://m.example/8.mp3", at: 60),
            ], [.new, .known(0, .guid)]),
        Case(
            "one guid twice, titles differ", known: [],
            incoming: [key("a", title: "A"), key("a", title: "B")], [.new, .new]),
        Case("the very same item twice", known: [], incoming: [key("a"), key("a")], [.new, .repeated]),
    ])
    func `rule 4: two items listed together are two episodes`(_ test: Case) {
        expect(test)
    }

    @Test func `rule 4: a new item that looks like a departed one is suspected`() {
        let departed = key("a", title: "Part 1", url: "https://m.example/1.mp3", at: 60, lasting: 1000)
        let news = key("b", title: "Part 1", url: "https://m.example/new.mp3", at: 119, lasting: 1000)
        func suspected(_ incoming: [EpisodeKey], isTruncated: Bool = false) -> Set<Int> {
            let known = [KnownEpisode(id: 1, key: departed, isListed: true)]
            return matchEpisodes(known: known, incoming: incoming, isTruncated: isTruncated)
                .suspectedDuplicates
        }
        #expect(suspected([news]) == [0])
        #expect(suspected([news, departed]) == [])
        #expect(suspected([news], isTruncated: true) == [])
        #expect(suspected([key("b", title: "Part 1", at: 60, lasting: 1001)]) == [])
        #expect(suspected([key("b", title: "Part 1", at: 120, lasting: 1000)]) == [])
        #expect(suspected([key("b", title: "Part 1", at: nil, lasting: 1000)]) == [])
    }

    @Test func `rule 5: a rewritten catalogue is matched by title and date`() {
        let old = (0..<12).map { catalogueItem($0, host: "old") }
        let new = (0..<12).map { catalogueItem($0, host: "new") }
        let result = matchEpisodes(known: stored(old), incoming: new)
        #expect(result.isRewrittenCatalogue)
        #expect(result.matches == (0..<12).map { .known($0, .rewrittenCatalogue) })
        #expect(result.unlisted == [])
    }

    @Test func `rule 5: what is ambiguous in a rewritten catalogue stays new`() {
        let old = (0..<12).map { catalogueItem($0, host: "old") }
        var new = (0..<12).map { catalogueItem($0, host: "new") }
        new[1].title = new[0].title
        new[1].published = new[0].published
        let result = matchEpisodes(known: stored(old), incoming: new)
        #expect(result.isRewrittenCatalogue)
        #expect(result.matches[0] == .new)
        #expect(result.matches[1] == .new)
        #expect(result.matches[2] == .known(2, .rewrittenCatalogue))
    }

    @Test func `rule 5: a short feed is rewritten where every episode comes back with its title and date`() {
        for count in 2...9 {
            let old = (0..<count).map { catalogueItem($0, host: "old") }
            let result = matchEpisodes(known: stored(old), incoming: old.map { rehosted($0) })
            #expect(result.isRewrittenCatalogue)
            #expect(result.matches == (0..<count).map { .known($0, .rewrittenCatalogue) })
        }
        let one = [catalogueItem(0, host: "old")]
        #expect(!matchEpisodes(known: stored(one), incoming: one.map { rehosted($0) }).isRewrittenCatalogue)
    }

    @Test func `rule 5: nine of ten new items, or half of the feed, are no rewritten catalogue`() {
        let ten = (0..<10).map { catalogueItem($0, host: "old") }
        let nineNew = ten.dropLast().map { rehosted($0) }
        #expect(!matchEpisodes(known: stored(ten), incoming: nineNew).isRewrittenCatalogue)
        #expect(!matchEpisodes(known: stored(ten), incoming: nineNew + [ten[9]]).isRewrittenCatalogue)
        let twenty = (0..<20).map { catalogueItem($0, host: "old") }
        let half = twenty[..<10].map { rehosted($0) } + twenty[10...]
        #expect(!matchEpisodes(known: stored(twenty), incoming: half).isRewrittenCatalogue)
    }

    @Test func `rule 5: a window full of later items is news`() {
        let old = (0..<10).map { catalogueItem($0, host: "m") }
        let news = (10..<20).map { catalogueItem($0, host: "m") }
        let result = matchEpisodes(known: stored(old), incoming: news)
        #expect(!result.isRewrittenCatalogue)
        #expect(result.matches.allSatisfy { $0 == .new })
        #expect(result.unlisted == Array(0..<10))
    }

    @Test func `what a whole document leaves out is unlisted, and what a cut one leaves out is not`() {
        let known = stored([key("a"), key("b")])
        #expect(matchEpisodes(known: known, incoming: [key("b")]).unlisted == [0])
        #expect(matchEpisodes(known: known, incoming: [key("b")], isTruncated: true).unlisted == [])
    }

    @Test(.timeLimit(.minutes(5)))
    func `one guid for thousands of items costs no thousands of comparisons each`() {
        let old = (0..<8000).map { key("0", title: "Old \($0)", url: "https://m.example/old\($0).mp3") }
        let new = (0..<8000).map {
            key("0", title: "New \($0)", url: "https://m.example/new\($0).mp3", at: 60)
        }
        #expect(matchEpisodes(known: stored(old), incoming: new).matches.allSatisfy { $0 == .new })
    }

    private func expect(_ test: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        let result = matchEpisodes(known: test.known, incoming: test.incoming, feedLink: test.feedLink)
        #expect(result.matches == test.matches, sourceLocation: sourceLocation)
    }

    private func stored(_ keys: [EpisodeKey]) -> [KnownEpisode] {
        keys.enumerated().map { index, key in
            KnownEpisode(id: EpisodeID(rawValue: Int64(index)), key: key, isListed: true)
        }
    }

    private func catalogueItem(_ number: Int, host: String) -> EpisodeKey {
        key(
            "\(host)-\(number)", title: "Chapter \(number)",
            url: "https://\(host).example/\(host)\(number).mp3",
            at: Int64(number) * 86_400)
    }

    private func rehosted(_ item: EpisodeKey) -> EpisodeKey {
        var item = item
        item.guid = item.guid.map { "moved-\($0)" }
        item.enclosureURL = item.enclosureURL.map { "https://moved.example/\($0.dropFirst(8))" }
        return item
    }
}

private func key(
    _ guid: String?, title: String = "Title", link: String? = nil, url: String? = nil,
    at published: Int64? = 0,
    lasting duration: Int64? = nil
) -> EpisodeKey {
    EpisodeKey(
        guid: guid, title: title, link: link, enclosureURL: url, published: published, duration: duration)
}
