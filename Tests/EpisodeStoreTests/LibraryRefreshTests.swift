import EpisodeStore
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5))) struct LibraryRefreshTests {
    @Test func `older pages bring old news, and what is newer than the oldest known is news`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(9), item(8)]), now: day(9))
        var pages = document((1...10).reversed().map { item($0) })
        pages.hasOlderPages = true
        _ = try await library.recordRefresh(of: feed, pages, now: day(10))
        let new = try await library.episodes(EpisodeQuery()).filter(\.isNew).map(\.title)
        #expect(new == ["Part 10"])
    }

    @Test func `the first refresh stores everything as old news`() async throws {
        let (library, feed) = try await libraryWithFeed()
        let outcome = try await library.recordRefresh(
            of: feed, document([item(3), item(2), item(1)]), now: day(10))
        #expect(outcome.isFirst)
        #expect(outcome.newEpisodes == [3, 2, 1])
        let episodes = try await library.episodes(EpisodeQuery())
        #expect(episodes.map(\.title) == ["Part 3", "Part 2", "Part 1"])
        #expect(
            episodes.allSatisfy { $0.isOldNews && !$0.isNew && $0.state == .none && $0.verb == .download })
        #expect(try await library.feed(feed)?.episodeCount == 3)
    }

    @Test func `what comes later is new`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(10))
        let outcome = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(11))
        #expect(!outcome.isFirst)
        #expect(outcome.newEpisodes == [2])
        let new = try await library.episodes(EpisodeQuery(filter: .new))
        #expect(new.map(\.title) == ["Part 2"])
    }

    @Test func `the same document again changes nothing`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(10))
        let before = try await library.episodes(EpisodeQuery())
        let outcome = try await library.recordRefresh(of: feed, document([item(1), item(2)]), now: day(11))
        #expect(outcome.newEpisodes == [] && outcome.updatedEpisodes == [] && outcome.unlistedEpisodes == [])
        #expect(try await library.episodes(EpisodeQuery()) == before)
    }

    @Test func `a changed title and a rotated token update the row and keep the file`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(10))
        try await library.markDone(
            1, DownloadResult(path: "/p/1.mp3", byteCount: 9, isVerified: true), now: day(10))
        var changed = item(1)
        changed.title = "Part one"
        changed.enclosures[0].url += "?token=2"
        let outcome = try await library.recordRefresh(of: feed, document([changed]), now: day(11))
        #expect(outcome.updatedEpisodes == [1])
        #expect(outcome.newEpisodes == [])
        let episode = try #require(try await library.episode(1))
        #expect(episode.title == "Part one")
        #expect(episode.enclosureURL == "https://media.example/1.mp3?token=2")
        #expect(episode.state == .done)
        #expect(episode.filePath == "/p/1.mp3")
    }

    @Test func `a new guid for the same file is told in the journal`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(10))
        var changed = item(1)
        changed.guid = "fresh"
        _ = try await library.recordRefresh(of: feed, document([changed]), now: day(11))
        #expect(try await library.episodeDetail(1)?.identity == .enclosure)
        let journal = try await library.journal(of: 1)
        #expect(journal.map(\.event) == [.recognised(.enclosure)])
        #expect(journal.first?.reason == "guid guid-1 became fresh")
    }

    @Test func `a date that moves at every poll makes nothing new and nothing newest`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(2))
        for poll in 3..<6 {
            let outcome = try await library.recordRefresh(
                of: feed, document([item(2), item(1, on: day(Double(poll)))]), now: day(Double(poll)))
            #expect(outcome.newEpisodes == [])
        }
        let third = try await library.recordRefresh(
            of: feed, document([item(3, on: day(5)), item(2), item(1, on: day(6))]), now: day(6))
        #expect(third.newEpisodes == [3])
        #expect(try await library.newest(of: feed, count: 1).map(\.id) == [3])
    }

    @Test func `what comes while the clock is years behind is still the newest`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(3))
        let news = document([item(5), item(4), item(2), item(1)])
        _ = try await library.recordRefresh(of: feed, news, now: day(-2000))
        let titles = try await library.episodes(EpisodeQuery()).map(\.title)
        #expect(titles == ["Part 5", "Part 4", "Part 2", "Part 1"])
        #expect(try await library.newest(of: feed, count: 1).map(\.title) == ["Part 5"])
    }

    @Test func `a date in the future does not block the first place`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(1, on: day(4000))]), now: day(1))
        _ = try await library.recordRefresh(
            of: feed, document([item(2, on: day(2)), item(1, on: day(4000))]), now: day(2))
        #expect(try await library.newest(of: feed, count: 2).map(\.guid) == ["guid-2", "guid-1"])
        #expect(try await library.episode(1)?.published == day(4000))
    }

    @Test func `a second item with exactly the same date is the newer one`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(1, on: day(1))]), now: day(2))
        _ = try await library.recordRefresh(
            of: feed, document([item(1, on: day(1)), item(2, on: day(1))]), now: day(3))
        #expect(try await library.newest(of: feed, count: 1).map(\.guid) == ["guid-2"])
    }

    @Test func `an item added with an older date is found`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(5)]), now: day(6))
        let outcome = try await library.recordRefresh(of: feed, document([item(5), item(2)]), now: day(7))
        #expect(outcome.newEpisodes.count == 1)
        #expect(try await library.newest(of: feed, count: 1).map(\.guid) == ["guid-5"])
    }

    @Test func `undated items are ordered by the feed, and later ones come first`() async throws {
        let (library, feed) = try await libraryWithFeed()
        func undated(_ number: Int) -> IncomingEpisode {
            var episode = item(number)
            episode.published = nil
            return episode
        }
        _ = try await library.recordRefresh(of: feed, document([undated(2), undated(1)]), now: day(6))
        _ = try await library.recordRefresh(
            of: feed, document([undated(3), undated(2), undated(1)]), now: day(7))
        let episodes = try await library.newest(of: feed, count: 3)
        #expect(episodes.map(\.guid) == ["guid-3", "guid-2", "guid-1"])
        #expect(episodes.allSatisfy { $0.published == nil })
    }

    @Test func `a feed that lists the oldest first has the last one as its newest`() async throws {
        let (library, feed) = try await libraryWithFeed()
        let outcome = try await library.recordRefresh(
            of: feed, document([item(1), item(2), item(3)]), now: day(6))
        #expect(try await library.newest(of: feed, count: 1).map(\.guid) == ["guid-3"])
        #expect(outcome.newEpisodes.first == 3)
    }

    @Test func `what leaves the feed is kept as unlisted, and comes back as the same`() async throws {
        let (library, feed) = try await libraryWithFeed()
        let all = (1...10).reversed().map { item($0) }
        _ = try await library.recordRefresh(of: feed, document(all), now: day(20))
        let outcome = try await library.recordRefresh(of: feed, document(Array(all[..<5])), now: day(21))
        #expect(outcome.unlistedEpisodes == [1, 2, 3, 4, 5])
        #expect(try await library.episodes(EpisodeQuery()).filter(\.isListed).count == 5)
        let back = try await library.recordRefresh(of: feed, document(all), now: day(22))
        #expect(back.newEpisodes == [])
        #expect(try await library.episodes(EpisodeQuery()).allSatisfy(\.isListed))
    }

    @Test func `a truncated document unlists nothing`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(6))
        var cut = document([item(2)])
        cut.isTruncated = true
        let outcome = try await library.recordRefresh(of: feed, cut, now: day(7))
        #expect(outcome.unlistedEpisodes == [])
        #expect(try await library.episode(1)?.isListed == true)
    }

    @Test func `what the user deleted stays deleted, also when it leaves the feed and comes back`()
        async throws
    {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(6))
        try await library.markDone(
            1, DownloadResult(path: "/p/1.mp3", byteCount: 9, isVerified: true), now: day(6))
        try await library.markDeleted(1, reason: "deleted by the user", now: day(7))
        for episodes in [[item(2), item(1)], [item(2)], [item(2), item(1)]] {
            _ = try await library.recordRefresh(of: feed, document(episodes), now: day(8))
            #expect(try await library.episode(1)?.state == .deleted)
        }
        #expect(try await library.enqueue([1], origin: .policy, now: day(9)) == [1: .refused(.deleted)])
    }

    @Test func `the same guids and files in two feeds are episodes of their own`() async throws {
        let (library, first) = try await libraryWithFeed()
        let second = try await library.addFeed(NewFeed(url: "https://other.example/feed"), now: day(0)).id
        for feed in [first, second] {
            _ = try await library.recordRefresh(of: feed, document([item(3), item(2), item(1)]), now: day(6))
        }
        #expect(try await library.episodes(EpisodeQuery()).count == 6)
    }

    @Test func `a rewritten catalogue is told, and what cannot be matched is not for the policy`()
        async throws
    {
        let (library, feed) = try await libraryWithFeed()
        let old = (1...12).reversed().map { item($0) }
        _ = try await library.recordRefresh(of: feed, document(old), now: day(20))
        let new = old.map { episode in
            var moved = episode
            moved.guid = "moved-\(episode.guid ?? "")"
            moved.enclosures[0].url = "https://moved.example/\(episode.title ?? "").mp3"
            return moved
        }
        var renamed = new
        renamed[0].title = "Something else"
        let outcome = try await library.recordRefresh(of: feed, document(renamed), now: day(21))
        #expect(outcome.isRewrittenCatalogue)
        #expect(outcome.updatedEpisodes.count == 11)
        #expect(outcome.newEpisodes == [13])
        #expect(outcome.suspectedDuplicates == [13])
        let episode = try #require(try await library.episode(13))
        #expect(episode.isSuspectedDuplicate)
        #expect(!episode.isNew)
    }

    @Test func `live items are replaced and are never episodes`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var live = document([item(1)])
        live.liveItems = [
            IncomingLiveItem(guid: "l", title: "Tonight", status: "pending", start: day(30), end: day(31))
        ]
        _ = try await library.recordRefresh(of: feed, live, now: day(20))
        #expect(try await library.liveItems().map(\.item) == live.liveItems)
        #expect(try await library.episodes(EpisodeQuery()).count == 1)
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(21))
        #expect(try await library.liveItems() == [])
    }

    @Test func `everything a document says comes back`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var episode = item(1)
        episode.summary = "All about trains"
        episode.contentHTML = "<p>All about <b>trains</b></p>"
        episode.author = "Ann"
        episode.isExplicit = false
        episode.season = 2
        episode.episode = 5
        episode.episodeType = "bonus"
        episode.enclosures.append(Enclosure(url: "https://media.example/1.ogg", type: "audio/ogg"))
        episode.chapters = [Chapter(start: .milliseconds(1500), title: "Departure")]
        episode.chaptersURL = ChaptersLink(url: "https://media.example/1.json")
        episode.transcripts = [
            TranscriptLink(url: "https://media.example/1.vtt", type: "text/vtt", language: "en")
        ]
        episode.transcript = [
            TranscriptSegment(speaker: "Ann", text: "All aboard", start: .seconds(1), end: .seconds(2))
        ]
        episode.persons = [Person(name: "Ann", role: "host")]
        episode.categories = ["Travel"]
        episode.updated = day(3)
        _ = try await library.recordRefresh(of: feed, document([episode]), now: day(4))
        let detail = try #require(try await library.episodeDetail(1))
        #expect(detail.summary == episode.summary)
        #expect(detail.contentHTML == episode.contentHTML)
        #expect(detail.author == "Ann")
        #expect(detail.isExplicit == false)
        #expect(detail.enclosures == episode.enclosures)
        #expect(detail.chapters == episode.chapters)
        #expect(detail.chaptersURL == episode.chaptersURL)
        #expect(detail.transcripts == episode.transcripts)
        #expect(detail.transcript == episode.transcript)
        #expect(detail.persons == episode.persons)
        #expect(detail.categories == ["Travel"])
        #expect(detail.updated == day(3))
        #expect(detail.record.season == 2)
        #expect(detail.record.episode == 5)
        #expect(detail.record.episodeType == "bonus")
        #expect(detail.record.duration == .seconds(60))
    }

    @Test func `hostile numbers are stored as something printable`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var episode = item(1, on: Date(timeIntervalSince1970: .infinity))
        episode.updated = Date(timeIntervalSince1970: .nan)
        episode.duration = .seconds(Int64.min)
        episode.season = .min
        episode.enclosures[0].length = .max
        episode.title = "a\0b"
        _ = try await library.recordRefresh(of: feed, document([episode]), now: day(4))
        let record = try #require(try await library.episode(1))
        #expect(record.published == Date(timeIntervalSince1970: 253_402_300_799))
        #expect(record.sortDate == day(4))
        #expect(record.title == "a\0b")
        #expect(record.enclosureLength == .max)
    }

    @Test(arguments: [
        (enclosures: [], isStream: false, status: nil as String?, isDownloadable: false),
        ([Enclosure(url: "https://m.example/live.m3u8")], true, nil, false),
        ([Enclosure(url: "https://m.example/1.mp3")], false, "generating", false),
        ([Enclosure(url: "https://m.example/1.mp3")], false, "ready", true),
        ([Enclosure(url: "https://m.example/1.mp3")], false, nil, true),
    ])
    func `only a finished file is downloadable`(
        enclosures: [Enclosure], isStream: Bool, status: String?, isDownloadable: Bool
    ) async throws {
        let (library, feed) = try await libraryWithFeed()
        var episode = IncomingEpisode(guid: "g", title: "Draft", enclosures: enclosures)
        episode.isStream = isStream
        episode.status = status
        _ = try await library.recordRefresh(of: feed, document([episode]), now: day(4))
        let record = try #require(try await library.episode(1))
        #expect(record.isDownloadable == isDownloadable)
        #expect(record.verb == (isDownloadable ? .download : nil))
        let outcome = try await library.enqueue([1], origin: .user, now: day(5))
        #expect(outcome == [1: isDownloadable ? .queued : .notDownloadable])
    }

    @Test func `an unknown feed is refused`() async throws {
        let (library, _) = try await libraryWithFeed()
        await #expect(throws: StoreError.unknownIdentifier(7)) {
            try await library.recordRefresh(of: 7, document([item(1)]), now: day(1))
        }
    }
}
