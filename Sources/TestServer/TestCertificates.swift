import Foundation

/// A certificate authority that nobody knows, and a server certificate of it for 127.0.0.1, made by openssl.
public final class TestCertificates: Sendable {
    public static var isPossible: Bool { (try? TestCertificates()) != nil }

    public var authority: String { folder + "/ca.pem" }
    var serverCertificate: String { folder + "/server.pem" }
    var serverKey: String { folder + "/server.key" }
    private let folder: String

    public init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/podget-tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try openssl(
            ["req", "-x509", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=podget test CA"] + key)
        try openssl(
            [
                "req", "-x509", "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "server.key", "-out",
                "server.pem", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
                "basicConstraints=critical,CA:FALSE",
            ] + key)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func openssl(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
