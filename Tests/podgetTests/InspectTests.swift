import FeedParser
import Foundation
import Synchronization
import Testing

@testable import podget

/// Reading a feed without subscribing to it.
@Suite(.timeLimit(.minutes(5)))
struct InspectTests {
    @Test(arguments: [
        ("nosuch.xml", "there is no such file"), ("./nosuch", "there is no such file"),
        ("javascript:x", "only http, https and local files are read"), ("ftp://a.example/x", "only http"),
    ])
    func `a source that is none gets one line and touches no network`(_ source: String, _ reason: String)
        async throws
    {
        let outcome = try await TestHome().podget("inspect", source)
        #expect(outcome.code == .failed)
        #expect(outcome.errors.contains("cannot read '\(source)'"))
        #expect(outcome.errors.contains(reason))
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test func `a list of feeds is called by its name`() async throws {
        let home = try TestHome()
        let file = try home.write(
            "<opml version=\"2.0\"><body><outline xmlUrl=\"https://a.example/\"/></body></opml>", to: "a.opml"
        )
        let outcome = await home.podget("inspect", file)
        #expect(outcome.code == .failed)
        #expect(outcome.errors.contains("a list of feeds (OPML), not a feed"))
    }

    @Test(arguments: [
        (["--base-url", "--json"], "--base-url needs a value"),
        (["--content-type", "--json"], "--content-type needs a value"),
        (["--base-url", "nonsense"], "--base-url takes an address"),
        (["--base-url"], "--base-url needs a value"),
    ])
    func `an option without its value is a mistake`(_ options: [String], _ message: String) async throws {
        let home = try TestHome()
        let file = try home.write(feed("Show", []), to: "a.xml")
        let outcome = await home.run(["inspect", file] + options)
        #expect(outcome.code == .usage)
        #expect(outcome.errors.contains(message))
    }

    @Test func `JSON holds nothing that a terminal obeys`() async throws {
        let home = try TestHome()
        let title = "a\u{9B}31m b\u{7F} c\u{202E}d\u{2066}e é — 日"
        let file = try home.write(feed(title, []), to: "a.xml")
        let outcome = await home.podget("inspect", "--json", file)
        #expect(outcome.code == .done)
        #expect(outcome.output.contains(#"\u202ed\u2066e é — 日"#))
        #expect(
            !outcome.output.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" })
    }

    @Test(arguments: [0, 1, 3])
    func `JSON has the same fields as when the feed was held whole`(_ count: Int) async throws {
        let home = try TestHome()
        let items = (1...3).prefix(count).map { number in
            "<item><title>T\(number)</title><description>a\nb {\"}</description><guid>\(number)</guid></item>"
        }
        let text = "<rss><channel><title>Show</title>\(items.joined())<ttl>60</ttl></channel></rss>"
        let outcome = await home.podget("inspect", "--json", try home.write(text, to: "a.xml"))
        #expect(outcome.code == .done)
        let whole = try jsonText(try FeedReader.parse(Array(text.utf8), baseURL: nil))
        let object = { (json: String) in
            try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
        }
        #expect(try object(outcome.output) == object(whole))
    }

    @Test func `JSON is written episode by episode, until its reader leaves`() throws {
        let writes = Mutex<[String]>([])
        let json = FeedJSON(
            to: TextOutput { text in
                try writes.withLock { writes in
                    if writes.count == 2 { throw TextOutput.Closed() }
                    writes.append(text)
                }
            })
        for number in 1...5 { json.add(Episode(title: "T\(number)")) }
        #expect(throws: TextOutput.Closed.self) { try json.finish(Feed()) }
        let written = writes.withLock { $0 }
        #expect(written.count == 2)
        #expect(written[0].contains("T1") && !written[0].contains("T2"))
        #expect(written[1].contains("T2"))
    }

    @Test func `one name fits one feed only`() async throws {
        let home = try TestHome()
        let list =
            "<opml version=\"2.0\"><body><outline xmlUrl=\"a.xml\"/><outline xmlUrl=\"b.xml\"/></body></opml>"
        let outcome = await home.podget("subscribe", "--name", "foo", try home.write(list, to: "a.opml"))
        #expect(outcome.code == .usage)
    }
}
