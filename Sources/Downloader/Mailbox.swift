internal import CCurl
import Synchronization

/// The one way into the loop's thread: commands in, in order, and a wake-up.
final class Mailbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isOpen = true
    }

    private let state = Mutex(State())
    // curl_multi_wakeup is the one function that libcurl allows from any thread; the pointer is used for nothing
    // else, and under the lock only while the mailbox is open, which the loop ends before the handle goes.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    init(waking multi: UnsafeMutableRawPointer) {
        self.multi = multi
    }

    /// Hands over a command; false once the loop has ended.
    @discardableResult
    func post(_ command: LoopCommand) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.commands.append(command)
            // It fails only where the pipe of the handle is broken; the loop then still looks at its next timer.
            if state.commands.count == 1 { _ = curl_multi_wakeup(multi) }
            return true
        }
    }

    /// Takes all commands; called on the loop's thread.
    func takeAll() -> [LoopCommand] {
        state.withLock { state in
            let commands = state.commands
            state.commands.removeAll(keepingCapacity: true)
            return commands
        }
    }

    /// Refuses all further commands and returns those still unread.
    func close() -> [LoopCommand] {
        state.withLock { state in
            state.isOpen = false
            let commands = state.commands
            state.commands = []
            return commands
        }
    }
}
