import EpisodeStore
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(5))) struct LibraryFeedsTests {
    @Test func `a known address gives the same feed, however it is written`() async throws {
        let (library, feed) = try await libraryWithFeed("https://feeds.example/night")
        for url in [
            "HTTPS://Feeds.Example/night", "https://feeds.example:443/night",
            "https://feeds.example/night#top",
        ] {
            #expect(try await library.addFeed(NewFeed(url: url), now: day(1)).id == feed)
        }
        #expect(try await library.feeds().count == 1)
    }

    @Test func `slugs are unique, and titles need not be`() async throws {
        let (library, _) = try await libraryWithFeed("https://a.example")
        let second = try await library.addFeed(
            NewFeed(url: "https://b.example", title: "Night Trains"), now: day(1))
        #expect(second.slug == "night-trains-2")
    }

    @Test func `a feed without a title is named after its host and shows no password`() async throws {
        let library = try Library(path: ":memory:")
        let feed = try await library.addFeed(NewFeed(url: "https://ann:secret@feeds.example/x"), now: day(1))
        #expect(feed.title == "feeds.example")
        #expect(feed.url == "https://ann:secret@feeds.example/x")
    }

    @Test func `unsubscribing and subscribing again keeps numbers and states`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(6))
        try await library.setPlayed(true, [1], now: day(6))
        try await library.removeFeed(feed, now: day(7))
        #expect(try await library.feeds() == [])
        #expect(try await library.episodes(EpisodeQuery()) == [])
        #expect(try await library.feeds(includingUnsubscribed: true).map(\.isSubscribed) == [false])
        let again = try await library.addFeed(NewFeed(url: "https://feeds.example/night"), now: day(8))
        #expect(again.id == feed)
        #expect(again.isSubscribed)
        let outcome = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(8))
        #expect(outcome.newEpisodes == [] && outcome.updatedEpisodes == [] && outcome.unlistedEpisodes == [])
        #expect(try await library.episodes(EpisodeQuery(filter: .played)).map(\.id) == [1])
    }

    @Test func `a feed subscribed to again is read in full`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var new = document([item(1)])
        new.validators = FeedValidators(etag: "\"1\"", lastModified: "Mon", bodyHash: "h")
        _ = try await library.recordRefresh(of: feed, new, now: day(1))
        try await library.removeFeed(feed, now: day(2))
        let again = try await library.addFeed(NewFeed(url: "https://feeds.example/night"), now: day(3))
        #expect(again.validators == FeedValidators())
        let same = try await library.addFeed(NewFeed(url: "https://feeds.example/night"), now: day(4))
        #expect(same == again)
    }

    @Test func `unsubscribing takes what was not fetched out of the queue`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(2), item(1)]), now: day(6))
        _ = try await library.enqueue([1, 2], origin: .user, now: day(6))
        try await library.markDone(
            2, DownloadResult(path: "/p/2.mp3", byteCount: 9, isVerified: true), now: day(6))
        try await library.removeFeed(feed, now: day(7))
        #expect(try await library.queue() == [])
        #expect(try await library.journal(of: 1).last?.reason == "unsubscribed")
        #expect(try await library.storage().map(\.title) == ["Part 2"])
    }

    @Test func `a moved feed is recognised by its former address`() async throws {
        let (library, feed) = try await libraryWithFeed()
        try await library.moveFeed(feed, to: "https://new.example/feed", now: day(1))
        let moved = try #require(try await library.feed(at: "https://feeds.example/night"))
        #expect(moved.id == feed)
        #expect(moved.url == "https://new.example/feed")
        #expect(moved.formerURLs == ["https://feeds.example/night"])
        #expect(
            try await library.addFeed(NewFeed(url: "https://feeds.example/night"), now: day(2)).id == feed)
    }

    @Test func `a feed that moves back has no former address twice`() async throws {
        let (library, feed) = try await libraryWithFeed()
        try await library.moveFeed(feed, to: "https://new.example/feed", now: day(1))
        try await library.moveFeed(feed, to: "https://feeds.example/night", now: day(2))
        #expect(try await library.feed(feed)?.formerURLs == ["https://new.example/feed"])
    }

    @Test func `a feed cannot move to the address of another`() async throws {
        let (library, feed) = try await libraryWithFeed()
        let other = try await library.addFeed(NewFeed(url: "https://other.example"), now: day(0)).id
        await #expect(throws: StoreError.addressTaken(by: other)) {
            try await library.moveFeed(feed, to: "https://other.example/", now: day(1))
        }
    }

    @Test func `validators are kept from a document and renewed by a 304`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var new = document([item(1)])
        new.validators = FeedValidators(etag: "\"1\"", lastModified: "Mon", bodyHash: "h")
        _ = try await library.recordRefresh(of: feed, new, now: day(1))
        try await library.recordUnchanged([
            UnchangedFeed(feed, checked: day(2), validators: FeedValidators(etag: "\"2\""))
        ])
        let record = try #require(try await library.feed(feed))
        #expect(record.validators == FeedValidators(etag: "\"2\"", lastModified: "Mon", bodyHash: "h"))
        #expect(record.lastChecked == day(2))
        #expect(record.lastFullFetch == day(1))
    }

    @Test func `failures are counted, being offline is not, and success forgets them`() async throws {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(1))
        try await library.recordFailure(of: feed, "no answer", kind: .unreachable, now: day(2))
        try await library.recordFailure(of: feed, "no network", kind: .offline, now: day(3))
        let failed = try #require(try await library.feed(feed))
        #expect(failed.failureCount == 1)
        #expect(failed.lastErrorKind == .offline)
        #expect(failed.lastChecked == day(2))
        #expect(failed.episodeCount == 1)
        try await library.recordUnchanged([UnchangedFeed(feed, checked: day(4))])
        #expect(try await library.feed(feed)?.lastError == nil)
        #expect(try await library.feed(feed)?.failureCount == 0)
    }

    @Test func `the next check is kept with its reason, and planned from what the feed said`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var new = document([item(1)])
        new.schedule = FeedSchedule(ttl: .seconds(600), maxAge: .seconds(60))
        _ = try await library.recordRefresh(
            of: feed, new, nextCheck: NextCheck(date: day(2), reason: "a day"), now: day(1))
        #expect(try await library.feed(feed)?.nextCheck == day(2))
        #expect(try await library.feed(feed)?.nextCheckReason == "a day")
        // A 304 renews what the server says, and keeps what the document said.
        try await library.recordUnchanged([UnchangedFeed(feed, checked: day(2), maxAge: .seconds(90))]) {
            _, schedule in
            NextCheck(
                date: day(3), reason: "\(schedule.ttl ?? .zero) \(schedule.maxAge ?? .zero)")
        }
        #expect(try await library.feed(feed)?.nextCheckReason == "600.0 seconds 90.0 seconds")
        try await library.recordFailure(of: feed, "no answer", kind: .http, now: day(3)) { schedule, count in
            NextCheck(date: day(4), reason: "\(count) \(schedule.maxAge ?? .zero)")
        }
        #expect(try await library.feed(feed)?.nextCheckReason == "1 90.0 seconds")
        try await library.recordFailure(of: feed, "no network", kind: .offline, now: day(3.5))
        #expect(try await library.feed(feed)?.nextCheck == day(4))
    }

    @Test func `a postponed check never comes earlier`() async throws {
        let (library, feed) = try await libraryWithFeed()
        try await library.postpone(feed, to: NextCheck(date: day(2), reason: "the host rests"))
        try await library.postpone(feed, to: NextCheck(date: day(1), reason: "sooner"))
        #expect(try await library.feed(feed)?.nextCheck == day(2))
        #expect(try await library.feed(feed)?.nextCheckReason == "the host rests")
    }

    @Test func `an alias is recognised, and takes no address from another feed`() async throws {
        let (library, feed) = try await libraryWithFeed()
        let other = try await library.addFeed(NewFeed(url: "https://other.example"), now: day(0)).id
        try await library.addAlias("https://alias.example/feed", of: feed, now: day(1))
        try await library.addAlias("https://other.example/", of: feed, now: day(1))
        #expect(try await library.feed(at: "https://ALIAS.example/feed")?.id == feed)
        #expect(try await library.feed(at: "https://other.example")?.id == other)
    }

    @Test func `a gone feed is marked until it answers again`() async throws {
        let (library, feed) = try await libraryWithFeed()
        try await library.recordFailure(of: feed, "410 Gone", kind: .gone, now: day(2))
        #expect(try await library.feed(feed)?.isGone == true)
        _ = try await library.recordRefresh(of: feed, document([item(1)]), now: day(3))
        #expect(try await library.feed(feed)?.isGone == false)
    }

    @Test func `settings override one by one and the name is shown for the title`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var settings = FeedSettings()
        settings.name = "Trains"
        settings.latest = 3
        settings.minDuration = .seconds(90)
        try await library.setSettings(settings, of: feed)
        let record = try #require(try await library.feed(feed))
        #expect(record.settings == settings)
        #expect(record.title == "Trains")
        _ = try await library.recordRefresh(
            of: feed, document([item(1)], title: "Night Trains II"), now: day(3))
        #expect(try await library.feed(feed)?.title == "Trains")
        try await library.setSettings(FeedSettings(), of: feed)
        #expect(try await library.feed(feed)?.title == "Night Trains II")
    }

    @Test func `schedule and details come back`() async throws {
        let (library, feed) = try await libraryWithFeed()
        var new = document([])
        new.schedule = FeedSchedule(ttl: .seconds(3600), skipHours: [1, 2], skipDays: ["Sunday"])
        new.details = FeedDetails(
            categories: ["Travel"], persons: [Person(name: "Ann")],
            funding: [FundingLink(url: "https://f.example")])
        _ = try await library.recordRefresh(of: feed, new, now: day(3))
        let detail = try #require(try await library.feedDetail(feed))
        #expect(detail.schedule == new.schedule)
        #expect(detail.details == new.details)
    }

    @Test(arguments: ["1", "night-trains", "Night Trains", "trains", "https://feeds.example/night"])
    func `a feed is found by number, slug, title, part of the title and address`(selector: String)
        async throws
    {
        let (library, feed) = try await libraryWithFeed()
        _ = try await library.addFeed(
            NewFeed(url: "https://other.example", title: "Day Ferries"), now: day(0))
        guard case .found(let found) = try await library.feed(matching: selector) else {
            Issue.record("not found")
            return
        }
        #expect(found.id == feed)
    }

    @Test func `settings that are given take the place of those that were, every one of them`() throws {
        var given = FeedSettings()
        (given.name, given.latest, given.first) = ("A", 1, 2)
        (given.include, given.exclude, given.types, given.keep) = ("a", "b", ["full"], "3")
        (given.order, given.template, given.userAgent) = ("oldest", "{title}", "u")
        (given.quality, given.writeTags, given.tags) = ("best", true, ["News"])
        given.minDuration = .seconds(1)
        given.maxDuration = .seconds(2)
        #expect(Mirror(reflecting: given).children.allSatisfy { "\($0.value)" != "nil" })
        #expect(FeedSettings().overridden(by: given) == given)
        #expect(given.overridden(by: FeedSettings()) == given)
    }
}
