import Foundation
import Testing

@testable import Downloader

@Suite(.timeLimit(.minutes(5)))
struct ResumeFolderTests {
    let scratch: Scratch
    var folder: ResumeFolder { scratch.resumeFolder }

    init() throws {
        scratch = try Scratch()
    }

    private func keep(_ key: String, byteCount: Int, etag: String?, total: Int64? = 100) throws {
        var record = ResumeRecord(originalURL: "https://pod.example/a.mp3")
        record.etag = etag
        record.totalByteCount = total
        record.bootID = currentBootID
        try folder.save(record, key, isDurable: true)
        try scratch.write([UInt8](repeating: 1, count: byteCount), to: folder.partPath(key))
    }

    @Test func `the status is the truth about going on`() throws {
        #expect(folder.status(of: "1") == .none)
        try keep("1", byteCount: 40, etag: "\"v\"")
        #expect(folder.status(of: "1") == .resumable(byteCount: 40))
        try keep("2", byteCount: 40, etag: nil)
        #expect(folder.status(of: "2") == .restartOnly(byteCount: 40))
        try keep("3", byteCount: 0, etag: "\"v\"")
        #expect(folder.status(of: "3") == .none)
        try keep("4", byteCount: 100, etag: nil)
        #expect(folder.status(of: "4") == .resumable(byteCount: 100))
        try scratch.write([1, 2, 3], to: folder.partPath("5"))
        #expect(folder.status(of: "5") == .restartOnly(byteCount: 3))
        #expect(folder.status(of: "1", url: "https://pod.example/b.mp3") == .restartOnly(byteCount: 40))
    }

    @Test func `a record comes back as it was written`() throws {
        var record = ResumeRecord(originalURL: "https://pod.example/a.mp3?x=1")
        record.etag = "\"ü\\\""
        record.totalByteCount = 5_000_000_000
        record.counts.restartCount = 2
        record.integrity = Integrity.parse(contentMD5: "AAAAAAAAAAAAAAAAAAAAAA==")
        try folder.save(record, "1", isDurable: false)
        #expect(folder.loadRecord("1") == record)
        #expect(record.integrity.count == 1)
    }

    @Test(arguments: ["", "{", "[]", "{\"originalURL\": 3}", "\u{0}\u{0}\u{0}"])
    func `a damaged record counts as none`(_ text: String) throws {
        try scratch.write(Array(text.utf8), to: folder.recordPath("1"))
        try scratch.write([1], to: folder.partPath("1"))
        #expect(folder.loadRecord("1") == nil)
        #expect(folder.status(of: "1") == .restartOnly(byteCount: 1))
    }

    @Test func `only what nobody wants is removed`() throws {
        for key in ["1", "2", "3"] { try keep(key, byteCount: 4, etag: nil) }
        try scratch.write([1], to: folder.path + "/4.json.new")
        #expect(folder.keys() == ["1", "2", "3", "4"])
        try folder.removeAll(except: ["2"])
        #expect(folder.keys() == ["2"])
        #expect(folder.status(of: "2") == .restartOnly(byteCount: 4))
        try folder.remove("never there")
    }

    @Test func `a link in the place of a record or a partial is not followed`() throws {
        let outside = scratch.path + "/outside"
        try scratch.write(Array("{\"originalURL\":\"x\"}".utf8), to: outside)
        try FileManager.default.createSymbolicLink(
            atPath: folder.recordPath("1"), withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(atPath: folder.partPath("1"), withDestinationPath: outside)
        #expect(folder.loadRecord("1") == nil)
        #expect(folder.status(of: "1") == .none)
    }

    @Test(arguments: ["", "../1", "a/b", ".hidden", "a\u{0}b", "a\nb"])
    func `a key that leads elsewhere is refused`(_ key: String) {
        #expect(!ResumeFolder.isSafe(key))
    }

    @Test func `the cache is marked as one`() throws {
        try folder.prepare(cacheRoot: scratch.path)
        let tag = try #require(scratch.bytes(scratch.path + "/CACHEDIR.TAG"))
        #expect(
            String(decoding: tag, as: UTF8.self).hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }
}
