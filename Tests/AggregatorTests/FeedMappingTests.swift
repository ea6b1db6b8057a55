import Downloader
import EpisodeStore
import Testing

@testable import Aggregator

@Suite(.timeLimit(.minutes(5))) struct FeedMappingTests {
    @Test(
        arguments: [
            (url: "/live.m3u8", type: "audio/mpeg", isStream: true),
            (url: "/LIVE.M3U?token=1", type: "audio/mpeg", isStream: true),
            (url: "/a.pls#1", type: "", isStream: true),
            (url: "/a.Mpd", type: "", isStream: true),
            (url: "/a", type: "Application/X-mpegURL; charset=utf-8", isStream: true),
            (url: "/a", type: "application/dash+xml", isStream: true),
            (url: "/a.mp3?list=b.m3u8", type: "audio/mpeg", isStream: false),
            (url: "/a.m3u8.mp3", type: "audio/mpeg", isStream: false),
            (url: "/a.m3x", type: "audio/x-mpegurl-not", isStream: false),
        ])
    func `a playlist of a stream is told from a file by its type or the end of its path`(
        url: String, type: String, isStream: Bool
    ) throws {
        var receiver = FeedReceiver(baseURL: "https://feeds.example/", contentType: nil)
        let document = """
            <rss version="2.0"><channel><title>Show</title><item><title>One</title>
            <enclosure url="\(url)" type="\(type)"/></item></channel></rss>
            """
        try Array(document.utf8).withUnsafeBytes { try receiver.receive($0) }
        #expect(try receiver.finish().episodes.map(\.isStream) == [isStream])
    }
}
