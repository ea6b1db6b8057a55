import Testing

@testable import EpisodeStore

@Suite struct FeedAddressTests {
    @Test(arguments: [
        ("https://a.example/feed", "https://a.example/feed"),
        ("HTTPS://A.Example:443/Feed", "https://a.example/Feed"),
        ("http://a.example:80", "http://a.example/"),
        ("http://a.example:8080/", "http://a.example:8080/"),
        ("https://a.example/feed#latest", "https://a.example/feed"),
        ("https://a.example?x=1", "https://a.example/?x=1"),
        ("https://Ann:Pass@A.Example/x", "https://Ann:Pass@a.example/x"),
        ("file:///home/ann/feed.xml", "file:///home/ann/feed.xml"),
        ("feed.xml", "feed.xml"),
    ])
    func `two ways to write an address have one key`(url: String, key: String) {
        #expect(FeedAddress(url).key == key)
    }

    @Test(arguments: [
        ("https://ann:secret@feeds.example/x", "feeds.example"),
        ("file:///home/ann/feed.xml", "feed.xml"),
        ("feeds/night.xml", "night.xml"),
        ("", ""),
    ])
    func `the short name tells no secret`(url: String, name: String) {
        #expect(FeedAddress(url).shortName == name)
    }
}
