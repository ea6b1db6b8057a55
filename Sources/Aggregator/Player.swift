import Glibc

/// Runs a player and follows it.
public struct Player: Sendable {
    public let program: PlayerProgram
    private let variables: [String: String]
    private let usesTerminal: Bool
    private let within: Duration

    /// - Parameters:
    ///   - usesTerminal: Whether the player may print on the terminal, and listen to its keys.
    ///   - within: So long before its end an episode counts as played, at most a tenth of its length.
    public init(
        _ program: PlayerProgram, variables: [String: String], usesTerminal: Bool, within: Duration
    ) {
        self.program = program
        self.variables = variables
        self.usesTerminal = usesTerminal
        self.within = within
    }

    /// Plays until the end, or until the task is cancelled, which ends the player.
    ///
    /// `store` is called with the position as it moves on, `show` each second with the position and the length.
    public func play(
        _ request: PlayRequest, show: (Duration, Duration?) -> Void = { _, _ in },
        store: @Sendable (Duration) async -> Void
    ) async -> PlayEnd {
        let words = playerWords(program, request, usesTerminal: usesTerminal)
        let output = usesTerminal ? STDOUT_FILENO : STDERR_FILENO
        do throws(ProgramFailure) {
            switch program {
            case .mpv:
                let link = try PlayerLink()
                // What the libraries of sound say on standard error is nothing to act on. mpv tells its errors on standard
                // output, which has to be the terminal, or it reads no keys.
                let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
                defer { if nowhere >= 0 { _ = close(nowhere) } }
                let process = try spawn(
                    words, input: nil, output: output, errors: nowhere >= 0 ? nowhere : nil,
                    extra: link.theirs, variables: variables)
                link.closeTheirs()
                var shown: Duration?
                var tracker = PlayTracker()
                link.send(PlayTracker.commands)
                let end = await follow(process, quit: { link.send("{\"command\":[\"quit\"]}\n") }) {
                    link.readLines { tracker.take($0) }
                    if let position = tracker.position,
                        shown?.components.seconds != position.components.seconds
                    {
                        shown = position
                        show(position, tracker.duration)
                    }
                    if let position = tracker.positionToStore() { await store(position) }
                }
                return playEnd(
                    tracker, end, start: request.start, isWhole: request.isLocal && !program.mayStopEarly,
                    within: within)
            case .other, .desktop:
                let process = try spawn(words, input: nil, output: output, variables: variables)
                let end = await follow(process, quit: { _ = kill(process, SIGTERM) }) {}
                var result = PlayEnd()
                if end != .exited(0), end != .interrupted { result.problem = "ended without playing it" }
                return result
            }
        } catch {
            return PlayEnd(problem: "'\(words[0])' cannot be run: \(error.reason)")
        }
    }

    /// Waits for the end of a process and looks at it meanwhile; a cancelled task ends it.
    private func follow(
        _ process: pid_t, quit: () -> Void, _ look: () async -> Void
    ) async -> ProgramEnd {
        var deadline: ContinuousClock.Instant?
        while true {
            let end = programEnd(process)
            await look()
            // A signal to the terminal's group may end the player before us.
            if let end { return deadline == nil && !Task.isCancelled ? end : .interrupted }
            if let deadline {
                // Its number cannot be another's yet: it has not been waited for.
                if ContinuousClock.now >= deadline { _ = kill(process, SIGKILL) }
                // A cancelled task cannot sleep; this ends within two seconds.
                _ = poll(nil, 0, 20)
            } else if Task.isCancelled {
                quit()
                deadline = .now + .seconds(2)
            } else {
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

/// Two connected sockets: one end speaks mpv's JSON IPC, the other is ours.
///
/// mpv ends when our end is closed, whatever becomes of us.
private final class PlayerLink {
    private(set) var theirs: Int32 = -1
    private let ours: Int32
    private var unread: [UInt8] = []

    /// No event of interest is longer.
    private static let longestLine = 1 << 20

    init() throws(ProgramFailure) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ProgramFailure() }
        (ours, theirs) = (ends[0], ends[1])
    }

    deinit {
        closeTheirs()
        _ = close(ours)
    }

    func closeTheirs() {
        if theirs >= 0 { _ = close(theirs) }
        theirs = -1
    }

    /// Sends a few words; a player that has gone does not get them.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(ours, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    /// Reads what has come, without waiting.
    func readLines(_ take: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(ours, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count <= 0 { break }
            unread += buffer[..<count]
            while let end = unread.firstIndex(of: 0x0A) {
                take(unread[..<end])
                unread.removeSubrange(...end)
            }
            if unread.count > Self.longestLine { unread.removeAll() }
        }
    }
}
