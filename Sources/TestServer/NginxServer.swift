import Foundation

/// nginx, as Debian ships it, serving a folder on a loopback port.
public final class NginxServer {
    public static let path = "/usr/sbin/nginx"
    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    public let folder: String
    public let port: UInt16
    private let scheme: String
    private let certificates: TestCertificates?
    private let locations: String
    private var process: Process?

    /// Starts nginx; `options` go into its `location` block, `locations` beside it.
    ///
    /// With certificates it speaks TLS, and HTTP/2 to those who can.
    public init(
        options: String = "", locations: String = "", certificates: TestCertificates? = nil
    ) throws {
        scheme = certificates == nil ? "http" : "https"
        folder = FileManager.default.temporaryDirectory.path + "/podget-nginx-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/www", withIntermediateDirectories: true)
        // A port that was free a moment ago.
        let probe = try DummyServer()
        port = probe.port
        probe.stop()
        self.certificates = certificates
        self.locations = locations
        try start(options: options)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it, at first or again.
    public func start(options: String = "") throws {
        let tls = certificates.map {
            "ssl_certificate \($0.serverCertificate); ssl_certificate_key \($0.serverKey);"
        }
        let configuration = """
            daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error.log;
            events {}
            http {
                access_log \(folder)/access.log;
                client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                types { audio/mpeg mp3; application/rss+xml xml; }
                server {
                    listen 127.0.0.1:\(port)\(tls == nil ? "" : " ssl http2"); \(tls ?? "")
                    location / { root \(folder)/www; \(options) }
                    \(locations)
                }
            }
            """
        try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = ["-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        try waitUntilItAnswers()
    }

    /// Ends it, and all its connections with it.
    public func stop() {
        guard let process else { return }
        // It inherits the blocked signals of the thread that started it, so that only this one ends it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    public func url(_ path: String) -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder + "/www/" + name))
    }

    /// The lines of the access log that name a path, as `status bytes` pairs.
    public func requests(to path: String) throws -> [String] {
        let log = try String(contentsOfFile: folder + "/access.log", encoding: .utf8)
        return log.split(separator: "\n").filter { $0.contains("GET \(path) ") }.map { line in
            let parts = line.split(separator: "\"")
            return parts[2].split(separator: " ").joined(separator: " ")
        }
    }

    /// The protocol of each request for a path, such as `HTTP/2.0`.
    public func protocols(of path: String) throws -> [String] {
        let log = try String(contentsOfFile: folder + "/access.log", encoding: .utf8)
        return log.split(separator: "\n").filter { $0.contains("GET \(path) ") }.compactMap { line in
            line.split(separator: "\"").dropFirst().first?.split(separator: " ").last.map(String.init)
        }
    }

    private func waitUntilItAnswers() throws {
        for _ in 0..<500 {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { return }
            // Refused: it is not listening yet. Let it have the processor.
            _ = poll(nil, 0, 10)
        }
        throw CocoaError(.fileReadUnknown)
    }
}
