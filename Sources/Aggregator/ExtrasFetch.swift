import Downloader
import EpisodeStore
import FeedParser

/// Fetches small documents of one feed: chapters, transcripts, pictures.
///
/// By the rules of its episodes: http and https, credentials for the feed's own host only, files for local feeds only.
struct ExtrasFetch {
    let loop: TransferLoop
    let feed: FeedRecord

    /// Whether the network may be asked.
    let usesNetwork: Bool

    struct Fetched {
        let bytes: [UInt8]
        let contentType: String?

        /// Where it came from in the end, for the addresses in it.
        let url: String
    }

    /// What came of asking for a link.
    enum Answer {
        case fetched(Fetched)

        /// It is not there, or not what it should be: asking again is of no use.
        case refused(String)

        /// It may come another time; without words where it was not even tried.
        case later(String?)
    }

    func get(_ url: String, byteLimit: Int) async -> Answer {
        do throws(TransferError) {
            if url.lowercased().hasPrefix("file:") {
                guard case .file(let path) = FeedSource(storedURL: feed.url) else {
                    return .refused("a file of this computer")
                }
                let bytes = try readLocalFile(url, within: folderPart(of: path), byteLimit: byteLimit)
                return .fetched(Fetched(bytes: bytes, contentType: nil, url: url))
            }
            guard usesNetwork else { return .later(nil) }
            var request = DocumentRequest(url: AddressWithCredentials(url).url)
            request.credentials =
                AddressWithCredentials(url).credentials
                ?? credentials(for: url, feedURL: feed.url)
            request.userAgent = feed.settings.userAgent
            request.byteLimit = Int64(byteLimit)
            request.totalTimeout = .seconds(60)
            let document = try await loop.fetch(request) { _ in BytesReceiver() }
            return .fetched(
                Fetched(
                    bytes: document.output ?? [], contentType: document.head.contentType,
                    url: document.head.finalURL))
        } catch {
            return isFinal(error) ? .refused("\(error)") : .later("\(error)")
        }
    }

    /// Whether the same request would fail again tomorrow.
    private func isFinal(_ error: TransferError) -> Bool {
        switch error {
        case .status(let head): (400..<500).contains(head.status) && ![408, 425, 429].contains(head.status)
        case .invalidURL, .refusedProtocol, .tooLarge, .refusedFile, .tooManyRedirects: true
        default: false
        }
    }
}

/// Collects a body; its size is limited by the request.
private struct BytesReceiver: BodyReceiver {
    private var bytes: [UInt8] = []

    mutating func receive(_ piece: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: piece)
    }

    mutating func finish() -> [UInt8] { bytes }
}

/// The extension of a picture by its first bytes; nil where it is none that programs show.
func pictureExtension(_ bytes: [UInt8]) -> String? {
    let signatures: [([UInt8], Int, String)] = [
        ([0xFF, 0xD8, 0xFF], 0, "jpg"), ([0x89, 0x50, 0x4E, 0x47], 0, "png"), (Array("GIF8".utf8), 0, "gif"),
        (Array("WEBP".utf8), 8, "webp"),
    ]
    return signatures.first { bytes.dropFirst($0.1).starts(with: $0.0) }?.2
}
