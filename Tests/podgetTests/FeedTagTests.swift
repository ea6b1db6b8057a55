import Foundation
import Testing

@testable import podget

/// The tags that feeds are sorted under.
@Suite(.timeLimit(.minutes(5)))
struct FeedTagTests {
    /// A home with two feeds, Low Water and High Water.
    private func home() async throws -> TestHome {
        let home = try TestHome()
        for name in ["Low", "High"] {
            await home.podget("subscribe", try home.write(feed("\(name) Water", []), to: "\(name).xml"))
        }
        return home
    }

    @Test func `tags are set, added and taken away, and shown where a feed is`() async throws {
        let home = try await home()
        #expect(await home.podget("feeds").output.contains("TAGS") == false)
        #expect(await home.podget("show", "low-water").output.contains("Tags:") == false)
        let set = await home.podget("set", "low-water", "tags", "News,  Arts / Music, news")
        #expect(set.output == "Low Water: tags are News, Arts/Music now\n")
        #expect(await home.podget("set", "low-water", "tag").output.contains("tags  News, Arts/Music"))
        #expect(
            await home.podget("set", "low-water", "tag", "Local").output
                == "Low Water: tags are News, Arts/Music, Local now\n")
        #expect(
            await home.podget("show", "low-water").output.contains(
                "Tags:        News, Arts/Music, Local\n"))
        let feeds = await home.podget("feeds").output
        #expect(feeds.contains("  TAGS") && feeds.contains("  News, Arts/Music, Local"))
        #expect(await home.podget("feeds", width: 50).output.contains("TAGS") == false)
        let found = await home.podget("feeds", "--tag", "arts").output
        #expect(found.contains("Low Water") && !found.contains("High Water"))
        let list = await home.podget("export").output
        #expect(list.contains("category=\"/News,/Arts/Music,/Local\"") && !list.contains("podget:tags"))
        #expect(await home.podget("feeds", "--tag", "No").output.contains("'podget feeds' shows the tags"))

        #expect(
            await home.podget("set", "low-water", "untag", "arts/music").output
                == "Low Water: tags are News, Local now\n")
        let unknown = await home.podget("set", "low-water", "untag", "Tea")
        #expect(unknown.code == .usage)
        #expect(unknown.errors.contains("Low Water has no tag 'Tea'; its tags are News, Local"))
        let unclear = await home.podget("set", "low-water", "tag", "--default")
        #expect(unclear.code == .usage && unclear.errors.contains("untag TAG"))
        #expect(
            await home.podget("set", "low-water", "tags", "--default").output
                == "Low Water: tags are not set now\n")
        #expect(await home.podget("feeds").output.contains("TAGS") == false)
    }

    @Test func `a tag with a comma of its own stays one tag`() async throws {
        let home = try await home()
        let set = await home.podget("set", "low-water", "tags", #"["Arts, Tea", "News"]"#)
        #expect(set.output == "Low Water: tags are [\"Arts, Tea\",\"News\"] now\n")
        #expect(await home.podget("feeds", "--tag", "arts, tea").output.contains("Low Water"))
    }

    @Test(arguments: ["", " , /", "[1]", "[]"])
    func `what names no tag is a mistake, and changes nothing`(_ value: String) async throws {
        let home = try await home()
        await home.podget("set", "low-water", "tags", "News")
        for key in ["tags", "tag"] {
            let refused = await home.podget("set", "low-water", key, value)
            #expect(refused.code == .usage)
            #expect(refused.errors.contains("'tags' must be tags parted by commas, such as News, Arts/Music"))
        }
        #expect(await home.podget("set", "low-water", "tags").output.contains("News"))
    }

    @Test func `subscribe gives a feed that is there already a tag, by its short name or address`()
        async throws
    {
        let home = try await home()
        #expect(
            await home.podget("subscribe", "--tag", "News", "low-water").output
                == "Already subscribed to Low Water; its tags are News now\n")
        #expect(
            await home.podget("subscribe", "--tag", "Local", home.path + "/Low.xml").output
                == "Already subscribed to Low Water; its tags are News, Local now\n")
        #expect(await home.podget("subscribe", "high-water").output == "Already subscribed to High Water\n")
        #expect(
            await home.podget("subscribe", "--tag", "Sea", "High W").output
                == "Already subscribed to High Water; its tags are Sea now\n")
        // A file of that name is what is meant.
        try home.write(feed("Other", []), to: "low-water")
        #expect(
            await home.podget("subscribe", "low-water").output == "Subscribed to Other: 0 episodes\n")
    }
}
