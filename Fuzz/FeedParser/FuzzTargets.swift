import FoundationEssentials
import Glibc

/// What libFuzzer throws bytes at, by the names that `scripts/fuzz` takes.
///
/// Each calls one entry of the parser and stops the program where a rule that holds for all input is broken.
let targets: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = [
    "xml": fuzzFeed,
    "json": fuzzFeed,
    "date": fuzzDate,
    "duration": fuzzDuration,
    "html": fuzzHTML,
    "opml": fuzzOPML,
    "discovery": fuzzDiscovery,
    "transcript": fuzzTranscript,
]

private let baseURL = "https://host.example/folder/feed"

/// A feed read whole and in pieces is the same feed; the first byte of the input is the size of the pieces.
private func fuzzFeed(_ input: UnsafeRawBufferPointer) {
    guard let pieceByteCount = input.first.map({ Int($0) + 1 }) else { return }
    let document = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    let whole = parse(document, pieceByteCount: document.count + 1)
    // Pieces of a byte each would make a large input slow, and show nothing that a small one does not.
    let split = parse(document, pieceByteCount: max(pieceByteCount, document.count / 4096))
    precondition(whole == split, "pieces of \(pieceByteCount) bytes give another feed")
    guard case .success(let feed) = whole else { return }
    for episode in feed.episodes {
        precondition(episode.duration.map { $0 >= 0 && $0.isFinite } != false)
        precondition(episode.enclosures.allSatisfy { !$0.url.isEmpty })
    }
    do {
        _ = try JSONEncoder().encode(feed)
    } catch {
        preconditionFailure("a feed that cannot be written: \(error)")
    }
}

private func parse(_ document: UnsafeRawBufferPointer, pieceByteCount: Int) -> Result<Feed, FeedError> {
    let reader = FeedReader(baseURL: baseURL)
    do throws(FeedError) {
        for start in stride(from: 0, to: document.count, by: pieceByteCount) {
            let piece = document[start..<min(start + pieceByteCount, document.count)]
            try reader.feed(UnsafeRawBufferPointer(rebasing: piece))
        }
        return .success(try reader.finish())
    } catch {
        return .failure(error)
    }
}

/// A date that was read and written is read again as the same.
private func fuzzDate(_ input: UnsafeRawBufferPointer) {
    guard let date = parseFeedDate(String(decoding: input, as: UTF8.self)) else { return }
    precondition(parseFeedDate(rfc3339(date)) == date, "\(rfc3339(date)) is another date")
}

private func fuzzDuration(_ input: UnsafeRawBufferPointer) {
    guard let duration = parseFeedDuration(String(decoding: input, as: UTF8.self)) else { return }
    precondition(duration >= 0 && duration.isFinite)
}

private func fuzzHTML(_ input: UnsafeRawBufferPointer) {
    let html = String(decoding: input, as: UTF8.self)
    let text = plainText(fromHTML: html)
    precondition(!text.utf8.contains { $0 < 0x20 }, "a line holds a control character")
    for width in [nil, 1, 40] {
        let rendered = renderText(fromHTML: html, width: width)
        precondition(!rendered.utf8.contains { $0 < 0x20 && $0 != 0x0A }, "text holds a control character")
    }
}

/// A list that was read and written is read again with the same feeds.
private func fuzzOPML(_ input: UnsafeRawBufferPointer) {
    let document = Data(input)
    guard let list = try? readOPML(document, baseURL: baseURL) else { return }
    precondition(list.feeds.count == Set(list.feeds.map(\.url)).count)
    do {
        let again = try readOPML(writeOPML(list))
        precondition(again.feeds.count == list.feeds.count && !again.isTruncated)
    } catch {
        preconditionFailure("a list that cannot be read again: \(error)")
    }
}

private func fuzzDiscovery(_ input: UnsafeRawBufferPointer) {
    let feeds = discoverFeeds(inHTML: Data(input), baseURL: baseURL)
    precondition(feeds.allSatisfy { !$0.url.isEmpty })
}

/// A transcript in any form, and what is written of it is read again.
private func fuzzTranscript(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    _ = try? readChapters(bytes, baseURL: baseURL)
    guard let segments = try? readTranscript(bytes) else { return }
    precondition(segments.allSatisfy { !$0.text.isEmpty })
    guard let cues = writeTranscript(segments, as: .vtt) else { return }
    let again = try? readTranscript(Array(cues.utf8))
    // What is left out of a text that is strange in parts makes the rest stranger.
    precondition(segments.isEmpty || again != nil || !isText(cues), "a transcript that cannot be read again")
}
