import FoundationEssentials
import Testing

@testable import EpisodeStore

/// A day of the invented calendar of these tests: day 0 is 2024-01-01 at noon, UTC.
func day(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_704_110_400 + number * 86_400)
}

/// An episode of a feed in which everything but the number is the same.
func item(_ number: Int, on date: Date? = nil) -> IncomingEpisode {
    var episode = IncomingEpisode(
        guid: "guid-\(number)", title: "Part \(number)", published: date ?? day(Double(number)))
    episode.enclosures = [
        Enclosure(url: "https://media.example/\(number).mp3", type: "audio/mpeg", length: 1000)
    ]
    episode.duration = .seconds(60 * number)
    return episode
}

/// A feed document, the newest episode first.
func document(_ episodes: [IncomingEpisode], title: String = "Night Trains") -> IncomingFeed {
    IncomingFeed(title: title, episodes: episodes)
}

/// A library in memory with one feed that was never refreshed.
func libraryWithFeed(_ url: String = "https://feeds.example/night") async throws -> (Library, FeedID) {
    let library = try Library(path: ":memory:")
    let feed = try await library.addFeed(NewFeed(url: url, title: "Night Trains"), now: day(0))
    return (library, feed.id)
}

/// A folder of its own for a test with real files.
///
/// It is removed with its content when the last reference goes.
final class ScratchFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/episode-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var database: String { path + "/podget.db" }

    /// Leaves the database alone, as in a copy of it.
    func removeLogFiles() throws {
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: database + suffix) }
    }
}
