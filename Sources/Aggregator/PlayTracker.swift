import FoundationEssentials
import Glibc

/// What is known of a file that mpv plays, from the events of its JSON IPC.
struct PlayTracker {
    private(set) var position: Duration?
    private(set) var duration: Duration?

    /// mpv's word for the end: `eof`, `quit`, `stop` or `error`.
    private(set) var endReason: String?
    private(set) var error: String?
    private var stored: Duration?

    /// What is asked of mpv at the beginning.
    static let commands = """
        {"command":["observe_property",1,"time-pos"]}
        {"command":["observe_property",2,"duration"]}

        """

    /// How far the position moves before it is stored again.
    private static let step = Duration.seconds(5)

    /// Takes a line of mpv; what is no event of interest is ignored.
    mutating func take(_ line: some Collection<UInt8>) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(line)) else { return }
        switch (event.event, event.name) {
        case ("property-change", "time-pos"):
            // No value means that nothing plays any more: the last one holds.
            if let seconds = event.data { position = time(seconds) }
        case ("property-change", "duration"):
            if let seconds = event.data { duration = time(seconds) }
        case ("end-file", _):
            endReason = event.reason
            error = event.fileError
        default: break
        }
    }

    /// The position where it is to be stored again: it moved by five seconds or more, in either direction.
    mutating func positionToStore() -> Duration? {
        guard let position else { return nil }
        guard let stored else {
            self.stored = position
            return nil
        }
        let distance = position > stored ? position - stored : stored - position
        guard distance >= Self.step else { return nil }
        self.stored = position
        return position
    }

    private func time(_ seconds: Double) -> Duration {
        .milliseconds(Int64(min(max(seconds, 0), 1e9) * 1000))
    }

    private struct Event: Decodable {
        let event: String?
        let name: String?
        let data: Double?
        let reason: String?
        let fileError: String?

        private enum Key: String, CodingKey {
            case event, name, data, reason
            case fileError = "file_error"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            event = try? container.decode(String.self, forKey: .event)
            name = try? container.decode(String.self, forKey: .name)
            data = try? container.decode(Double.self, forKey: .data)
            reason = try? container.decode(String.self, forKey: .reason)
            fileError = try? container.decode(String.self, forKey: .fileError)
        }
    }
}

/// How playing ended.
public struct PlayEnd: Equatable, Sendable {
    /// Where it stopped; nil where the player tells nothing, or nothing was played.
    public var position: Duration?
    public var duration: Duration?

    /// Whether the episode counts as played.
    public var isPlayed = false

    /// Whether it came to its end by itself, so that the next one may follow.
    public var wentToTheEnd = false

    /// Why nothing could be played, or playing broke off.
    public var problem: String?
}

/// Judges the end of what mpv played.
///
/// What is there as a whole is played where it ends, whatever length it claims; a stream that ends early broke off.
func playEnd(
    _ tracker: PlayTracker, _ program: ProgramEnd, start: Duration = .zero, isWhole: Bool, within: Duration
) -> PlayEnd {
    if let length = tracker.duration, start >= length, (tracker.position ?? start) >= length, start > .zero {
        // mpv ends at once, with a video without an error; nothing was played.
        return PlayEnd(
            duration: length,
            problem: "cannot begin at \(clockText(start)): the end is at \(clockText(length))")
    }
    var end = PlayEnd(position: tracker.position, duration: tracker.duration)
    let margin = tracker.duration.map { min(within, $0 / 10) }
    let isNearEnd: Bool? =
        if let position = tracker.position, let duration = tracker.duration, let margin,
            position <= duration, tracker.endReason != "error"
        {
            duration - position <= margin
        } else {
            nil
        }
    if tracker.endReason == "eof", tracker.position != nil {
        let rest = tracker.duration.flatMap { length in tracker.position.map { length - $0 } } ?? .zero
        end.wentToTheEnd = isWhole || isNearEnd == true || rest < .seconds(10)
    }
    end.isPlayed = end.wentToTheEnd || isNearEnd ?? false
    switch program {
    case .notStarted(let reason): end.problem = "cannot be run: \(reason)"
    case .interrupted: break
    default:
        if tracker.endReason == "error" || (tracker.position == nil && program != .exited(0)) {
            end.problem = "cannot play it" + (tracker.error.map { ": \($0)" } ?? "")
        }
    }
    // mpv names a position before it knows that it cannot play; what was really played is stored meanwhile.
    if end.problem != nil { end.position = nil }
    // It tells of every end but this one; how far it had come is true.
    if tracker.endReason == nil, let signal = program.killingSignal {
        end.problem = "was killed (\(String(cString: strsignal(signal))))"
    }
    return end
}

extension ProgramEnd {
    /// The signal that ended a program, also where a shell between tells it as its exit code.
    fileprivate var killingSignal: Int32? {
        switch self {
        case .signalled(let signal): signal
        case .exited(let code) where (129...192).contains(code): code - 128
        default: nil
        }
    }
}
