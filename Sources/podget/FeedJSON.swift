import FeedParser
import Synchronization

/// Writes a feed as one JSON object while it is read: each episode as it comes, then what else the feed says.
///
/// Memory does not grow with the number of episodes.
final class FeedJSON: Sendable {
    private struct State {
        var hasEpisodes = false
        /// Why nothing more can be written.
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let output: TextOutput

    init(to output: TextOutput) {
        self.output = output
    }

    func add(_ episode: Episode) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                let start = state.hasEpisodes ? ",\n" : "{\n  \"episodes\" : [\n"
                try output.write(start + indented(try jsonText(episode)))
                state.hasEpisodes = true
            } catch {
                state.failure = error
            }
        }
    }

    /// Ends the object with the feed's own fields; throws what went wrong before, too.
    func finish(_ feed: Feed) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.hasEpisodes else {
                try output.write(try jsonText(feed))
                return
            }
            // What follows the brace of an object that always has a format.
            let fields = try jsonText(feed.properties).dropFirst()
            try output.write("\n  ]," + fields)
        }
    }

    /// An object as it stands within a list within an object, without the line break at its end.
    private func indented(_ json: String) -> String {
        let indent = "    ".utf8
        var bytes = Array(indent)
        // A line break is never part of a string, where JSON has it escaped.
        for byte in json.utf8.dropLast() {
            bytes.append(byte)
            if byte == UInt8(ascii: "\n") { bytes.append(contentsOf: indent) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
