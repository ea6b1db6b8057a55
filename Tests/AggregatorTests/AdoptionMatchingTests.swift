import EpisodeStore
import Foundation
import Testing

@testable import Aggregator

@Suite struct AdoptionMatchingTests {
    private static func episode(
        _ id: Int64, _ title: String, show: String = "River", url: String? = nil, size: Int64? = nil,
        day: String? = nil
    ) -> AdoptionCandidate {
        AdoptionCandidate(
            id: EpisodeID(rawValue: id), feedTitle: show, title: title, url: url, byteCount: size, day: day)
    }

    private static let episodes = [
        episode(
            1, "What's up, Danube?", url: "https://a.example/x/danube-1.mp3?token=2", size: 50_000,
            day: "2026-11-01"),
        episode(2, "Pilot", url: "https://a.example/media.mp3?id=1", size: 60_000, day: "2026-11-02"),
        episode(
            3, "Pilot", show: "Sea", url: "https://b.example/media.mp3?id=2", size: 70_000, day: "2026-11-03"),
        episode(
            4, "The hourly news", show: "News", url: "https://n.example/n/%C3%BCber%20uns.mp3", size: 80_000,
            day: "2026-11-04"),
        episode(5, "The hourly news", show: "News", size: 90_000, day: "2026-11-05"),
        episode(6, "雨", show: "Sea", size: 100_000),
        episode(7, "Same size", show: "Sea", size: 110_000),
        episode(8, "Same size too", show: "Sea", size: 110_000),
        episode(9, "Tiny", show: "Sea", size: 1),
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: FoundFile
        let match: AdoptionMatch

        init(
            _ name: String, _ path: String, _ match: AdoptionMatch, size: Int64 = 0, title: String? = nil,
            show: String? = nil, folders: [String] = []
        ) {
            testDescription = name
            file = FoundFile(
                path: path, byteCount: size, folders: folders, tags: MediaTags(title: title, show: show))
            self.match = match
        }
    }

    private static func found(_ id: Int64, _ reason: AdoptionReason) -> AdoptionMatch {
        .found(EpisodeID(rawValue: id), reason)
    }

    private static func alike(_ ids: Int64...) -> AdoptionMatch {
        .ambiguous(ids.map(EpisodeID.init(rawValue:)))
    }

    @Test(arguments: [
        Case("a title tag", "/d/x.mp3", found(1, .tag), title: "What’s up Danube"),
        Case("the end of the address", "/d/Danube-1.mp3", found(1, .url)),
        Case("an encoded end of the address", "/d/über uns.mp3", found(4, .url)),
        Case("an address's end that many share", "/d/media.mp3", alike(2, 3)),
        Case("the same with the size", "/d/media.mp3", found(3, .url), size: 70_000),
        Case("the title as name", "/d/Whats up_ Danube.mp3", .none),
        Case("the title behind a number", "/d/07 - What_s up_ Danube_.mp3", found(1, .name)),
        Case("the title as name, signs replaced", "/d/What_s up_ Danube_.mp3", found(1, .name)),
        Case("day and title", "/d/2026-11-01 What's up, Danube.mp3", found(1, .name)),
        Case("title and day", "/d/What's up, Danube - 2026-11-01.ogg", found(1, .name)),
        Case("show, day and title", "/d/River - 2026-11-01 - What's up, Danube.mp3", found(1, .name)),
        Case("one title of several days", "/d/2026-11-05 The hourly news.mp3", found(5, .name)),
        Case("one title of several sizes", "/d/The hourly news.mp3", found(4, .name), size: 80_000),
        Case("one title alone", "/d/The hourly news.mp3", alike(4, 5)),
        Case("a short title of two shows", "/d/Pilot.mp3", alike(2, 3)),
        Case("a short title in a show's folder", "/d/Sea/Pilot.mp3", found(3, .name), folders: ["d", "Sea"]),
        Case(
            "a short title with a show's album tag", "/d/1.mp3", found(2, .tag), title: "Pilot", show: "RIVER"
        ),
        Case("a short title in another show's folder", "/d/News/Pilot.mp3", .none, folders: ["News"]),
        Case("a short title for itself", "/d/雨.mp3", .none),
        Case("a short title with its size", "/d/雨.mp3", found(6, .name), size: 100_000),
        Case("the size alone", "/d/1.mp3", found(6, .size), size: 100_000),
        Case("a size that two have", "/d/1.mp3", alike(7, 8), size: 110_000),
        Case("a size that says nothing", "/d/1.mp3", .none, size: 1),
        Case("nothing at all", "/d/---.mp3", .none),
    ])
    func `a file is the episode that its facts tell`(_ test: Case) {
        #expect(matchFiles([test.file], with: Self.episodes) == [test.match])
    }

    @Test func `an episode gets the file that fits best, and no file is two episodes`() {
        let files = [
            FoundFile(path: "/d/What's up, Danube.mp3", byteCount: 1),
            FoundFile(path: "/d/a.mp3", byteCount: 10, tags: MediaTags(title: "What's up, Danube?")),
            FoundFile(path: "/d/b.mp3", byteCount: 20, tags: MediaTags(title: "What's up, Danube?")),
            FoundFile(path: "/d/danube-1.mp3", byteCount: 99),
        ]
        let id = EpisodeID(rawValue: 1)
        #expect(
            matchFiles(files, with: Self.episodes) == [
                .secondBest(id, of: "/d/b.mp3"), .secondBest(id, of: "/d/b.mp3"), .found(id, .tag),
                .secondBest(id, of: "/d/b.mp3"),
            ])
    }

    @Test func `tags are read of the file and of its streams`() {
        func tags(_ text: String) -> MediaTags? { MediaTags(ffprobeJSON: Data(text.utf8)) }
        #expect(
            tags(
                #"{"format":{"duration":"61.5","tags":{"TITLE":"One","album":"Show","x":""}},"streams":[{}]}"#
            )
                == MediaTags(title: "One", show: "Show", duration: .milliseconds(61_500)))
        #expect(
            tags(#"{"format":{"duration":"N/A"},"streams":[{"tags":{"title":"One"}}]}"#)
                == MediaTags(title: "One"))
        #expect(tags(#"{"format":{"duration":"inf","tags":{"title":"One"}}}"#) == MediaTags(title: "One"))
        #expect(tags("{}") == MediaTags())
        #expect(tags("nonsense") == nil)
    }
}
