import Glibc
import Synchronization

/// Where text goes: a file descriptor, or memory in tests.
struct TextOutput: Sendable {
    private let writeText: @Sendable (String) throws -> Void

    /// Whoever read the other end has gone: a reason to stop quietly.
    struct Closed: Error {}

    init(write: @escaping @Sendable (String) throws -> Void) {
        writeText = write
    }

    init(descriptor: Int32) {
        writeText = { text in
            var text = text
            try text.withUTF8 { try writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
        }
    }

    func write(_ text: String) throws {
        try writeText(text)
    }

    func line(_ text: String) throws {
        try writeText(text + "\n")
    }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EPIPE {
            throw TextOutput.Closed()
        } else if errno == EAGAIN {
            // A non-blocking terminal or pipe: wait until it takes more.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&waiting, 1, -1)
        } else if errno != EINTR {
            throw CommandFailure("cannot write the output: \(String(cString: strerror(errno)))")
        }
    }
}

/// Collects what a command writes; used by tests and wherever output is looked at before it is shown.
final class TextBuffer: Sendable {
    private let storage = Mutex("")

    var text: String { storage.withLock { $0 } }

    var output: TextOutput {
        TextOutput { text in self.storage.withLock { $0 += text } }
    }
}
