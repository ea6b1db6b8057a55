/// The container formats known by their first bytes.
public enum MediaContainer: String, Sendable, Codable, CaseIterable {
    case mp3, aac, mp4, m4a, ogg, flac, wav, aiff, caf, matroska, avi, asf, flv, mpegTS, mpegPS, amr, ac3, au
}

/// What a body is that is not audio or video.
public enum RefusedContent: String, Sendable {
    case empty, webPage, json, xml, playlist, text, image, archive, pdf
}

/// What the first bytes of a body say about it.
public enum SniffedContent: Equatable, Sendable {
    case media(MediaContainer)
    case refused(RefusedContent)
    /// Neither known media nor known to be something else.
    case unknown
}

/// Tells what the first bytes of a body are, whatever its status and type say.
///
/// 512 bytes are enough for every format but MPEG-TS, whose second packet begins at byte 188.
public func sniffContent(_ bytes: some Collection<UInt8>) -> SniffedContent {
    let bytes = Array(bytes.prefix(openingByteCount))
    if bytes.isEmpty { return .refused(.empty) }
    if let container = container(of: bytes) {
        return contentBehindTags(bytes).map(SniffedContent.refused) ?? .media(container)
    }
    if let refused = binary(bytes) ?? text(bytes) { return .refused(refused) }
    return .unknown
}

/// How many first bytes the judgement looks at.
let openingByteCount = 512

private struct Signature {
    let offset: Int
    let bytes: [UInt8]

    init(_ text: String, at offset: Int = 0) {
        self.offset = offset
        bytes = Array(text.utf8)
    }

    init(_ bytes: [UInt8], at offset: Int = 0) {
        self.offset = offset
        self.bytes = bytes
    }

    func matches(_ content: [UInt8]) -> Bool {
        content.count >= offset + bytes.count && content[offset...].starts(with: bytes)
    }
}

private let containers: [([Signature], MediaContainer)] = [
    ([Signature("ID3")], .mp3),
    ([Signature("OggS")], .ogg),
    ([Signature("fLaC")], .flac),
    ([Signature("ftypM4A", at: 4)], .m4a),
    ([Signature("ftypM4B", at: 4)], .m4a),
    ([Signature("ftyp", at: 4)], .mp4),
    ([Signature("moov", at: 4)], .mp4),
    ([Signature("mdat", at: 4)], .mp4),
    ([Signature("RIFF"), Signature("WAVE", at: 8)], .wav),
    ([Signature("RIFF"), Signature("AVI ", at: 8)], .avi),
    ([Signature("FORM"), Signature("AIF", at: 8)], .aiff),
    ([Signature("caff")], .caf),
    ([Signature([0x1A, 0x45, 0xDF, 0xA3])], .matroska),
    ([Signature([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])], .asf),
    ([Signature("FLV")], .flv),
    ([Signature([0x00, 0x00, 0x01, 0xBA])], .mpegPS),
    ([Signature([0x47]), Signature([0x47], at: 188)], .mpegTS),
    ([Signature("#!AMR")], .amr),
    ([Signature([0x0B, 0x77])], .ac3),
    ([Signature(".snd")], .au),
]

private func container(of bytes: [UInt8]) -> MediaContainer? {
    if let (_, container) = containers.first(where: { $0.0.allSatisfy { $0.matches(bytes) } }) {
        return container
    }
    // Some encoders leave zeros before the first frame.
    let frame = bytes.drop { $0 == 0 }
    guard frame.count >= 3, frame[frame.startIndex] == 0xFF else { return nil }
    let second = frame[frame.startIndex + 1]
    let third = frame[frame.startIndex + 2]
    // ADTS (ISO 13818-7 §6.2): twelve sync bits, layer 0.
    if second & 0xF6 == 0xF0 { return .aac }
    // MPEG audio (ISO 11172-3 §2.4.1.3): eleven sync bits; a reserved version, layer, bitrate or rate is no frame.
    let isFrame =
        second & 0xE0 == 0xE0 && second & 0x18 != 0x08 && second & 0x06 != 0 && third & 0xF0 != 0xF0
        && third & 0x0C != 0x0C
    return isFrame ? .mp3 : nil
}

/// What stands behind ID3v2 tags (id3.org, ID3v2.4.0 structure, section 3.1) that is no media; nil where they do not end
/// within these bytes.
private func contentBehindTags(_ bytes: [UInt8]) -> RefusedContent? {
    var rest = bytes
    while rest.starts(with: Array("ID3".utf8)), rest.count > 10 {
        // Seven bits of each byte count.
        let length = rest[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        rest = Array(rest.dropFirst(10 + length))
    }
    // A few bytes look like text by chance.
    guard rest.count < bytes.count, rest.count >= 16, container(of: rest) == nil else { return nil }
    return binary(rest) ?? text(rest)
}

private let binaries: [(Signature, RefusedContent)] = [
    (Signature([0x89, 0x50, 0x4E, 0x47]), .image),
    (Signature([0xFF, 0xD8, 0xFF]), .image),
    (Signature("GIF8"), .image),
    (Signature("WEBP", at: 8), .image),
    (Signature([0x1F, 0x8B]), .archive),
    (Signature([0x50, 0x4B, 0x03, 0x04]), .archive),
    (Signature("%PDF"), .pdf),
]

private func binary(_ bytes: [UInt8]) -> RefusedContent? {
    binaries.first { $0.0.matches(bytes) }?.1
}

/// Names the kind of text; nil for bytes that are no text.
private func text(_ bytes: [UInt8]) -> RefusedContent? {
    let hasUTF16Mark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let plain = hasUTF16Mark ? bytes.dropFirst(2).filter { $0 != 0 } : bytes
    guard hasUTF16Mark || isText(plain) else { return nil }
    let words = String(decoding: plain, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let start = words.lowercased()
    if start.hasPrefix("#extm3u") || start.hasPrefix("[playlist]") { return .playlist }
    if start.hasPrefix("{") || start.hasPrefix("[") { return .json }
    guard start.hasPrefix("<") else { return .text }
    let isPage = ["<!doctype html", "<html", "<head", "<body", "<script"].contains { start.contains($0) }
    return isPage ? .webPage : .xml
}

/// Takes bytes for text that hold no control characters but white space, and no broken UTF-8 before the cut.
private func isText(_ bytes: [UInt8]) -> Bool {
    let controls = bytes.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B || $0 == 0x7F }
    if controls { return false }
    // A cut within a character leaves one replacement at the end; Latin-1 text has few bytes beyond ASCII.
    return bytes.count { $0 >= 0x80 } * 4 <= bytes.count
        || String(validating: bytes.dropLast(3), as: UTF8.self) != nil
}
