import Downloader
import EpisodeStore
import Testing

@testable import Aggregator

@Suite struct RenditionTests {
    private static func alternate(
        _ name: String, _ type: String, bitrate: Double? = nil, length: Int64? = nil, language: String? = nil,
        isDefault: Bool? = nil
    ) -> AlternateEnclosure {
        var alternate = AlternateEnclosure(
            type: type, length: length, sources: [Enclosure(url: "https://a.example/\(name)")])
        alternate.bitrate = bitrate
        alternate.language = language
        alternate.isDefault = isDefault
        return alternate
    }

    private static let show = [
        alternate("main.mp3", "audio/mpeg", bitrate: 128_000, language: "en", isDefault: true),
        alternate("small.opus", "audio/opus", bitrate: 32_000),
        alternate("fine.flac", "audio/flac", bitrate: 900_000),
        alternate("middle.mp3", "audio/mpeg", length: 7_200_000),
        alternate("es.opus", "audio/opus", bitrate: 16_000, language: "es"),
        alternate("low.mp4", "video/mp4", bitrate: 500_000),
        alternate("high.mp4", "video/mp4", bitrate: 5_000_000),
        alternate("live.m3u8", "application/x-mpegURL", bitrate: 1000),
        alternate("text.txt", "text/plain", bitrate: 1),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        let quality: String
        let alternates: [AlternateEnclosure]
        let type: String
        let chosen: String?

        init(
            _ quality: String, _ chosen: String?, _ alternates: [AlternateEnclosure] = show,
            type: String = "audio/mpeg"
        ) {
            self.quality = quality
            self.alternates = alternates
            self.type = type
            self.chosen = chosen
        }

        var testDescription: String { "\(quality) of \(alternates.count), \(type)" }
    }

    @Test(arguments: [
        Case("smallest", "small.opus"),
        Case("best", "fine.flac"),
        Case("audio", nil),
        Case("video", "high.mp4"),
        Case("96k", "middle.mp3"),
        Case("128000", nil),
        Case("1000k", "fine.flac"),
        Case("8k", "small.opus"),
        Case("audio", "fine.flac", show, type: "video/mp4"),
        Case("video", nil, show, type: "video/mp4"),
        Case("smallest", nil, show, type: "video/mp4"),
        Case("best", "high.mp4", show, type: "video/mp4"),
        Case("600k", "low.mp4", show, type: "video/mp4"),
        Case("smallest", nil, []),
        Case("best", nil, [alternate("unknown.mp3", "audio/mpeg")]),
        Case("video", nil, [alternate("a.opus", "audio/opus")]),
        Case(
            "smallest", nil, [alternate("a.opus", "audio/opus", bitrate: 1)], type: "application/x-shockwave"),
    ])
    func `quality chooses among the files of an episode`(_ test: Case) throws {
        let quality = try #require(Quality(test.quality))
        let chosen = chooseRendition(
            quality,
            enclosure: Enclosure(url: "https://a.example/main.mp3", type: test.type, length: 57_600_000),
            alternates: test.alternates, duration: .seconds(600))
        #expect(chosen?.url == test.chosen.map { "https://a.example/" + $0 })
    }

    @Test func `the digest that the feed gives is demanded of the file`() {
        var alternate = Self.alternate("a.opus", "audio/opus", bitrate: 1)
        alternate.integrityType = "sri"
        alternate.integrityValue = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let chosen = chooseRendition(
            .smallest, enclosure: Enclosure(url: "https://a.example/a.mp3", type: "audio/mpeg", length: 9000),
            alternates: [alternate], duration: nil)
        #expect(chosen?.integrity.map(\.algorithm) == [.sha256])
    }

    @Test(arguments: ["", "small", "-5", "0", "k", "64kb", "99999999999"])
    func `anything else is no quality`(_ text: String) {
        #expect(Quality(text) == nil)
    }
}
