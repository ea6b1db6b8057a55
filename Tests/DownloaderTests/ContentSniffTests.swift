import Downloader
import Testing

@Suite
struct ContentSniffTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let content: SniffedContent

        init(_ name: String, _ bytes: [UInt8], _ content: SniffedContent) {
            testDescription = name
            self.bytes = bytes
            self.content = content
        }

        init(_ name: String, _ text: String, _ content: SniffedContent) {
            self.init(name, Array(text.utf8), content)
        }
    }

    @Test(arguments: [
        Case("ID3", "ID3\u{4}\u{0}", .media(.mp3)),
        Case("an MPEG frame", [0xFF, 0xFB, 0x90, 0x64], .media(.mp3)),
        Case("an MPEG-2 frame", [0xFF, 0xF3, 0x40, 0xC4], .media(.mp3)),
        Case("an MPEG frame after zeros", [0, 0, 0, 0xFF, 0xFB, 0x90, 0x64], .media(.mp3)),
        Case("ADTS", [0xFF, 0xF1, 0x50, 0x80], .media(.aac)),
        Case("M4A", "\u{0}\u{0}\u{0}\u{20}ftypM4A ", .media(.m4a)),
        Case("MP4", "\u{0}\u{0}\u{0}\u{20}ftypisom", .media(.mp4)),
        Case("Ogg", "OggS\u{0}", .media(.ogg)),
        Case("FLAC", "fLaC\u{0}", .media(.flac)),
        Case("WAV", "RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ", .media(.wav)),
        Case("AVI", "RIFF\u{1}\u{1}\u{1}\u{1}AVI LIST", .media(.avi)),
        Case("Matroska", [0x1A, 0x45, 0xDF, 0xA3], .media(.matroska)),
        Case("MPEG-TS", [0x47] + [UInt8](repeating: 0, count: 187) + [0x47], .media(.mpegTS)),
        Case("a page", "\n <!DOCTYPE html><html>", .refused(.webPage)),
        Case("a page after a comment", "<!-- x --><HTML><body>", .refused(.webPage)),
        Case("a page in UTF-16", [0xFF, 0xFE] + "<html>".utf8.flatMap { [$0, 0] }, .refused(.webPage)),
        Case("XML", "<?xml version=\"1.0\"?><Error>", .refused(.xml)),
        Case("JSON", " {\"error\": 1}", .refused(.json)),
        Case("HLS", "#EXTM3U\n#EXT-X-VERSION:3", .refused(.playlist)),
        Case("PLS", "[playlist]\nFile1=", .refused(.playlist)),
        Case("12 bytes of text", "Unauthorized", .refused(.text)),
        Case("text in UTF-8", "Zugriff verweigert: ungültig", .refused(.text)),
        Case("text in Latin-1", [0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68, 0x20, 0x61, 0x62], .refused(.text)),
        Case(
            "a list behind an empty ID3 tag",
            "ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}ffconcat version 1.0\nfile x.mp3",
            .refused(.text)),
        Case(
            "a page behind two ID3 tags",
            "ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{2}xxID3\u{3}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}<html><body>Sign in",
            .refused(.webPage)),
        Case(
            "a frame behind an ID3 tag",
            Array("ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{2}xx".utf8) + [0xFF, 0xFB, 0x90, 0x64]
                + Array(repeating: 0x55, count: 400), .media(.mp3)),
        Case(
            "an ID3 tag longer than what is looked at",
            "ID3\u{4}\u{0}\u{0}\u{0}\u{0}\u{4}\u{0}" + String(repeating: "x", count: 502), .media(.mp3)),
        Case("nothing", [], .refused(.empty)),
        Case("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], .refused(.image)),
        Case("JPEG", [0xFF, 0xD8, 0xFF, 0xE0], .refused(.image)),
        Case("gzip", [0x1F, 0x8B, 0x08], .refused(.archive)),
        Case("PDF", "%PDF-1.7", .refused(.pdf)),
        Case("unknown bytes", [0x00, 0x01, 0x02, 0x80, 0x90, 0xFE], .unknown),
    ])
    func `the first bytes say what it is`(_ test: Case) {
        #expect(sniffContent(test.bytes) == test.content)
    }
}
