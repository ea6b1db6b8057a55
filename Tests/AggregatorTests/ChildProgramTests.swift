import Foundation
import Testing

@testable import Aggregator

@Suite(.timeLimit(.minutes(5)))
struct ChildProgramTests {
    private let variables = ["PATH": "/usr/bin:/bin", "TITLE": "a \"b\" $(c)"]

    private func run(
        _ words: String..., input: String = "", limit: Duration = .seconds(60)
    ) async throws -> (end: ProgramEnd, output: String) {
        let file = try MemoryFile()
        let end = await runProgram(
            words, input: input, variables: variables, timeLimit: limit, output: file.descriptor)
        return (end, String(decoding: file.bytes(atMost: 100_000), as: UTF8.self))
    }

    @Test func `arguments, variables and input arrive as they are`() async throws {
        let words = ["$(touch x)", "-rf", "a\nb", "'", "\"", "", "ü"]
        let file = try MemoryFile()
        let end = await runProgram(
            ["sh", "-c", "printf '<%s>' \"$@\"; printenv TITLE; cat", "sh"] + words, input: "line\n\"\0;",
            variables: variables, timeLimit: .seconds(60), output: file.descriptor)
        #expect(end == .exited(0))
        #expect(
            String(decoding: file.bytes(atMost: 1000), as: UTF8.self)
                == "<$(touch x)><-rf><a\nb><'><\"><><ü>a \"b\" $(c)\nline\n\"\0;")
    }

    @Test func `a long input needs no reader`() async throws {
        #expect(try await run("true", input: String(repeating: "x", count: 1 << 20)).end == .exited(0))
        #expect(
            try await run("wc", "-c", input: String(repeating: "x", count: 1 << 20)).output == "1048576\n")
    }

    @Test func `the end is told`() async throws {
        #expect(try await run("sh", "-c", "exit 7").end == .exited(7))
        #expect(try await run("sh", "-c", "kill -TERM $$").end == .signalled(SIGTERM))
        #expect(
            try await run("/nowhere/program").end == .notStarted(reason: "No such file or directory"))
        #expect(try await run("/etc/passwd").end == .notStarted(reason: "Permission denied"))
    }

    @Test func `a process that is not ours to wait for has ended`() {
        #expect(programEnd(1) == .exited(0))
    }

    @Test func `nothing of ours is inherited`() async throws {
        let open = open("/etc/passwd", O_RDONLY)
        defer { close(open) }
        // The fourth is the listed folder itself.
        #expect(try await run("ls", "/proc/self/fd").output == "0\n1\n2\n3\n")
        let lines = try await run("grep", "-E", "SigBlk|SigIgn", "/proc/self/status").output
        let masks = lines.split(separator: "\n").map { UInt64($0.suffix(16), radix: 16) ?? .max }
        // Without the two that the C library keeps for itself.
        #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0])
    }

    /// A named pipe, open for reading, that tells when its last writer has gone.
    private func pipe() throws -> (path: String, descriptor: Int32) {
        let path = FileManager.default.temporaryDirectory.path + "/podget-pipe-\(UUID().uuidString)"
        #expect(mkfifo(path, 0o600) == 0)
        return (path, open(path, O_RDONLY | O_NONBLOCK))
    }

    private func isAbandoned(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // It begins with data or no writer; what is waited for is that the killed ones are gone.
        var byte: UInt8 = 0
        while poll(&waiting, 1, 30_000) == 1 {
            if read(descriptor, &byte, 1) == 0 { return true }
        }
        return false
    }

    private let holdingPipe = "exec 3>\"$0\"; sleep 600 & echo x >&3; wait"

    @Test func `after its time a program is killed with its children`() async throws {
        let (path, descriptor) = try pipe()
        defer {
            close(descriptor)
            unlink(path)
        }
        #expect(try await run("sh", "-c", holdingPipe, path, limit: .seconds(1)).end == .timedOut)
        #expect(isAbandoned(descriptor))
    }

    @Test func `a cancelled task kills its program`() async throws {
        let (path, descriptor) = try pipe()
        defer {
            close(descriptor)
            unlink(path)
        }
        let task = Task { try await run("sh", "-c", holdingPipe, path).end }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) != 1 || waiting.revents & Int16(POLLIN) == 0 { await Task.yield() }
        task.cancel()
        #expect(try await task.value == .interrupted)
        #expect(isAbandoned(descriptor))
    }
}
