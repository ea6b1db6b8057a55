import Foundation
import Glibc

/// A message bus of its own for one test, on which a mock may take NetworkManager's place.
public final class PrivateBus {
    public static var isInstalled: Bool {
        run(["dbus-daemon", "--version"]) && run(["dbus-monitor", "--help"]) && run(["busctl", "--version"])
            && run(["pgrep", "--version"]) && run([python, "-c", "import dbusmock"])
    }

    public let address: String
    private let folder: String
    private let daemon: Process
    private var manager: Process?

    public init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/podget-bus-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder)/socket"
        daemon = try Self.start([
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)",
        ])
        try Self.wait { [address] in Self.run(["busctl", "--address=\(address)", "list"]) }
    }

    deinit {
        stopManager()
        Self.stop(daemon)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Puts a mock of NetworkManager on the bus, with a value of `NMMetered`.
    public func startManager(metered: Int) throws {
        manager = try Self.start(
            [Self.python, "-m", "dbusmock", "--system", Self.service, Self.object, Self.service],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
        try Self.wait { self.call("AddProperty", "ssv", Self.service, "Metered", "u", "\(metered)") }
    }

    /// Puts a mock of the desktop's notification service on the bus.
    public func startNotifications() throws {
        let service = "org.freedesktop.Notifications"
        manager = try Self.start(
            [Self.python, "-m", "dbusmock", "--session", "--template", "notification_daemon"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": address])
        try Self.wait {
            Self.run([
                "busctl", "--address=\(address)", "call", service, "/org/freedesktop/Notifications", service,
                "GetServerInformation",
            ])
        }
    }

    /// The notifications that the mock has got, as `busctl` prints calls in JSON.
    public func notifications() throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "busctl", "--address=\(address)", "--json=short", "call", "org.freedesktop.Notifications",
            "/org/freedesktop/Notifications", "org.freedesktop.DBus.Mock", "GetMethodCalls", "s", "Notify",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    /// Changes the value, with the signal that goes with it.
    public func setMetered(_ value: Int) throws {
        guard call("UpdateProperties", "sa{sv}", Self.service, "1", "Metered", "u", "\(value)") else {
            throw CocoaError(.featureUnsupported)
        }
    }

    public func stopManager() {
        if let manager { Self.stop(manager) }
        manager = nil
    }

    /// Returns once no `dbus-monitor` of this bus runs.
    public func waitUntilUnwatched() throws {
        try Self.wait { !self.isWatched }
    }

    public var isWatched: Bool {
        Self.run(["pgrep", "-f", "^dbus-monitor --address \(address) "])
    }

    private func call(_ words: String...) -> Bool {
        Self.run(
            [
                "busctl", "--address=\(address)", "call", Self.service, Self.object,
                "org.freedesktop.DBus.Mock",
            ]
                + words)
    }

    private static let service = "org.freedesktop.NetworkManager"
    private static let object = "/org/freedesktop/NetworkManager"
    // Debian's own, for which python3-dbusmock is.
    private static let python = "/usr/bin/python3"

    private static func start(_ words: [String], environment: [String: String] = [:]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func stop(_ process: Process) {
        // SIGTERM is blocked in a child of the threads that run Swift's tasks.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func run(_ words: [String]) -> Bool {
        guard let process = try? start(words) else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func wait(until isReady: () -> Bool) throws {
        for _ in 0..<1000 {
            if isReady() { return }
            // Not there yet: let it have the processor.
            _ = poll(nil, 0, 10)
        }
        throw CocoaError(.featureUnsupported)
    }
}
