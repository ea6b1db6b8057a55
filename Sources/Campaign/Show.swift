import Foundation
import TestServer

/// A show of which every episode is a pattern of its own size, so that no file can pass for another.
struct Show {
    struct Episode {
        let title: String
        let path: String
        let size: Int64
    }

    let episodes: [Episode]

    init(sizes: [Int64], name: String = "e") {
        episodes = sizes.enumerated().map { index, size in
            Episode(title: "Episode \(index + 1)", path: "/\(name)\(index + 1).mp3", size: size)
        }
    }

    func feed(_ server: DummyServer) -> Reply {
        let items = episodes.enumerated().map { index, episode in
            """
            <item><title>\(episode.title)</title><guid>\(episode.path)</guid>
            <pubDate>\(index % 28 + 1) \(index / 28 % 2 == 0 ? "Jan" : "Feb") 2024 10:00:00 GMT</pubDate>
            <enclosure url="\(server.url(episode.path))" type="audio/mpeg" length="\(episode.size)"/></item>
            """
        }
        let text = "<rss version=\"2.0\"><channel><title>Show</title>\(items.joined())</channel></rss>"
        return .text(text, type: "application/rss+xml")
    }

    /// Serves the feed and the files, each as `change` makes it.
    func serve(on server: DummyServer, _ change: (inout Reply) -> Void = { _ in }) {
        server.serve("/feed.xml", feed(server))
        for episode in episodes {
            server.serve(episode.path, Reply.pattern(episode.size, etag: "\"\(episode.size)\"").with(change))
        }
    }

    /// Compares what the library holds with what was served: nothing missing, nothing twice, all whole.
    func check(_ home: Home, _ report: inout Report) throws {
        let stored = try home.episodes()
        report.expect(
            stored.count == episodes.count, "\(stored.count) episodes are listed, not \(episodes.count)")
        var known: Set<String> = []
        for episode in episodes {
            guard let row = stored.first(where: { $0.title == episode.title }), row.state == "done",
                let file = row.file
            else {
                let state = stored.first { $0.title == episode.title }?.state ?? "not listed"
                report.faults.append("\(episode.title) is \(state)")
                continue
            }
            known.insert(file)
            if let offset = Pattern(byteCount: episode.size).firstDifference(fromFileAt: file) {
                report.faults.append("\(file) differs at byte \(offset)")
            }
        }
        for file in home.mediaFiles() where !known.contains(file) {
            report.faults.append("\(file) belongs to no episode")
        }
    }

    /// What stands in the library under its final name is whole, at any time.
    func checkWholeness(_ home: Home, _ report: inout Report) {
        for file in home.mediaFiles() where !(file as NSString).lastPathComponent.hasPrefix(".") {
            let isWhole = episodes.contains {
                Pattern(byteCount: $0.size).firstDifference(fromFileAt: file) == nil
            }
            report.expect(isWhole, "\(file) is not whole")
        }
    }
}
