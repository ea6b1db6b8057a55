import Dispatch
import Synchronization

/// Shows running transfers on a terminal, redrawn ten times a second while something has changed.
///
/// The size of the terminal is asked before each frame, so that a resized one is right again within a tenth of a
/// second. Other text goes through `interrupting`, which takes the lines away for it.
final class LiveDisplay: Sendable {
    private struct State {
        var lines = LiveLines()
        var failure: (any Error)?
        var hasEnded = false
    }

    private let environment: Environment
    private let size: @Sendable () -> TerminalSize?
    private let content: @Sendable () -> (transfers: [TransferView], queued: QueuedTotal)
    private let state = Mutex(State())

    /// Begins to show what `content` gives; nil where there is no terminal that can show it.
    ///
    /// It ends with `end`, or once nobody holds it.
    init?(
        _ environment: Environment,
        content: @escaping @Sendable () -> (transfers: [TransferView], queued: QueuedTotal)
    ) {
        guard let size = environment.liveSize, !environment.options.isQuiet, !environment.options.wantsJSON
        else { return nil }
        self.environment = environment
        self.size = size
        self.content = content
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.setEventHandler { [weak self] in
            if self?.draw() != true { timer.cancel() }
        }
        timer.resume()
    }

    /// Writes other text, above the lines.
    func interrupting(_ write: () throws -> Void) throws {
        try state.withLock { state in
            try environment.output.write(state.lines.erase())
            try write()
        }
    }

    /// Takes the lines away; throws what went wrong in drawing them.
    func end() throws {
        try state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            if let failure = state.failure { throw failure }
            try environment.output.write(state.lines.erase())
        }
    }

    /// Draws a frame; false where no other is to follow.
    private func draw() -> Bool {
        let (transfers, queued) = content()
        return state.withLock { state in
            guard !state.hasEnded, state.failure == nil else { return false }
            guard let size = size() else { return true }
            let lines = transferLines(
                transfers, queued: queued, format: environment.format, width: size.columns)
            do {
                let frame = state.lines.frame(lines, on: size)
                if !frame.isEmpty { try environment.output.write(frame) }
            } catch {
                state.failure = error
            }
            return state.failure == nil
        }
    }
}
