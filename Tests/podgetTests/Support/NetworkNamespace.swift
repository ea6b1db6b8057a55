import Foundation

/// A network of its own, joined with this one by one virtual cable; gone with the object.
///
/// Making one needs root and iproute2; without them tests that ask for it are skipped.
final class NetworkNamespace {
    static let isPossible: Bool = (try? NetworkNamespace()) != nil

    struct Refused: Error {
        let words: [String]
    }

    /// The address of this side of the cable, on which a server can listen.
    let outerAddress: String
    /// What to put before a command to run it on the other side.
    var command: [String] { ["ip", "netns", "exec", name] }
    private let name: String

    init() throws {
        let number = Int.random(in: 0..<65_536)
        name = "podget-\(number)"
        let network = "10.\(200 + number % 50).\(number / 256)"
        outerAddress = "\(network).1"
        try Self.ip("netns", "add", name)
        try Self.ip("link", "add", "pg\(number)", "type", "veth", "peer", "name", "inner", "netns", name)
        try Self.ip("addr", "add", "\(outerAddress)/30", "dev", "pg\(number)")
        try Self.ip("link", "set", "pg\(number)", "up")
        try Self.ip("-n", name, "addr", "add", "\(network).2/30", "dev", "inner")
        try plugIn()
    }

    deinit {
        // The cable goes with it.
        try? Self.ip("netns", "del", name)
    }

    func plugIn() throws {
        try Self.ip("-n", name, "link", "set", "inner", "up")
    }

    func unplug() throws {
        try Self.ip("-n", name, "link", "set", "inner", "down")
    }

    private static func ip(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ip"] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refused(words: words) }
    }
}
