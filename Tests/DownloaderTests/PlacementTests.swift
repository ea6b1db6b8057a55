import Foundation
import Testing

@testable import Downloader

@Suite(.timeLimit(.minutes(5)))
struct PlacementTests {
    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test(arguments: [Placement.copy, .link, .move])
    func `a file comes whole under a free name`(_ placement: Placement) throws {
        let scratch = try Scratch()
        let source = scratch.path + "/source.mp3"
        let folder = scratch.path + "/library/Show"
        try Data("one".utf8).write(to: URL(filePath: source))
        let first = try placeFile(source, in: folder, stem: "One", fileExtension: "mp3", by: placement)
        #expect(first == folder + "/One.mp3")
        #expect(text(source) == (placement == .move ? nil : "one"))
        try Data("two".utf8).write(to: URL(filePath: source), options: .atomic)
        let second = try placeFile(source, in: folder, stem: "One", fileExtension: "mp3", by: placement)
        #expect(second == folder + "/One (2).mp3")
        #expect(text(first) == "one")
        #expect(text(second) == "two")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(names) == ["One.mp3", "One (2).mp3"])
    }

    @Test func `a move to another file system copies first`() throws {
        let scratch = try Scratch()
        let source = "/dev/shm/podget-\(UUID().uuidString).mp3"
        try Data("one".utf8).write(to: URL(filePath: source))
        defer { unlink(source) }
        let path = try placeFile(source, in: scratch.path, stem: "One", fileExtension: "mp3", by: .move)
        #expect(text(path) == "one")
        #expect(text(source) == nil)
    }

    @Test func `a cancelled copy leaves nothing`() throws {
        let scratch = try Scratch()
        let source = scratch.path + "/source.mp3"
        try Data("one".utf8).write(to: URL(filePath: source))
        let folder = scratch.path + "/library"
        let error = #expect(throws: TransferError.self) {
            try placeFile(
                source, in: folder, stem: "One", fileExtension: "mp3", by: .copy, isCancelled: { true })
        }
        #expect(error?.description == "cancelled")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(text(source) == "one")
    }
}
