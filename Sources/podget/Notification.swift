import Aggregator
import Glibc
import Synchronization

/// Tells the desktop once, at the end of a sync, what it has downloaded: with `notify` set.
///
/// The freedesktop notification service is spoken to by `busctl`. Where there is none, nothing happens.
final class Notification: Sendable {
    private let isWanted: Bool
    private let variables: [String: String]
    private let files = Mutex((count: 0, names: [String]()))

    /// How many episodes are named.
    private static let shownCount = 5

    init(isWanted: Bool, variables: [String: String]) {
        self.isWanted = isWanted
        self.variables = variables
    }

    /// Takes note of an event, on any thread.
    func take(_ event: SyncEvent) {
        guard case .downloadFinished(let episode, _) = event else { return }
        files.withLock { files in
            files.count += 1
            if files.names.count < Self.shownCount {
                files.names.append("\(episode.feedTitle): \(episode.title)")
            }
        }
    }

    /// Sends the notification, if there is something to tell.
    func send() async {
        let (count, names) = files.withLock { $0 }
        guard isWanted, count > 0, !Task.isCancelled else { return }
        let words = notificationWords(count: count, names: names)
        // What goes wrong with it is not worth a word.
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        _ = await runProgram(
            words, input: "", variables: variables, timeLimit: .seconds(5), output: nowhere, errors: nowhere)
        _ = close(nowhere)
    }
}

/// The words that send a notification (Desktop Notifications Specification 1.2, `Notify`).
///
/// The body may hold markup there, so that it is escaped; `--` keeps every text an argument.
func notificationWords(count: Int, names: [String]) -> [String] {
    let body = names.map(terminalText).joined(separator: "\n")
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let more = count > names.count ? "\n…" : ""
    return [
        "busctl", "--user", "--timeout=3", "call", "--", "org.freedesktop.Notifications",
        "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify", "susssasa{sv}i",
        "podget", "0", "", count == 1 ? "1 episode downloaded" : "\(count) episodes downloaded",
        body + more, "0", "0", "-1",
    ]
}
