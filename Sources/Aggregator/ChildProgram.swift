import CSpawn
import Glibc

/// How a program that was run came to its end.
public enum ProgramEnd: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
    case interrupted
    case notStarted(reason: String)
}

/// Runs a program with arguments, without a shell, for at most so long.
///
/// `words` are the program, found on `PATH`, and its arguments. It reads `input` on standard input; its standard output
/// goes to the descriptor `output`, our standard error without one, its errors to `errors` likewise. It leads a process group of its own, which is killed
/// after `timeLimit` or when the task is cancelled. It inherits no other descriptor, no ignored and no blocked signal.
public func runProgram(
    _ words: [String], input: String, variables: [String: String], timeLimit: Duration,
    output: Int32? = nil, errors: Int32? = nil
) async -> ProgramEnd {
    guard !Task.isCancelled else { return .interrupted }
    let process: pid_t
    do throws(ProgramFailure) {
        let file = try MemoryFile()
        try file.write(input)
        process = try spawn(
            words, input: file.descriptor, output: output ?? STDERR_FILENO, errors: errors,
            variables: variables)
    } catch {
        return .notStarted(reason: error.reason)
    }
    let end = ContinuousClock.now.advanced(by: timeLimit)
    var pause = Duration.milliseconds(1)
    while true {
        if let end = programEnd(process) { return end }
        let isOver = ContinuousClock.now >= end
        if isOver || Task.isCancelled {
            // Its number cannot be another's yet: it has not been waited for.
            _ = kill(-process, SIGKILL)
            _ = waitpid(process, nil, 0)
            return isOver ? .timedOut : .interrupted
        }
        // A cancelled pause ends the loop above.
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
    }
}

/// A file without a name, in memory: standard input or output of a program, which cannot block on it.
struct MemoryFile: ~Copyable {
    let descriptor: Int32

    /// An empty file.
    init() throws(ProgramFailure) {
        let descriptor = memfd_create("podget", podget_memfd_cloexec)
        guard descriptor >= 0 else { throw ProgramFailure() }
        self.descriptor = descriptor
    }

    /// Writes a text at the beginning; who reads the file begins there.
    func write(_ text: String) throws(ProgramFailure) {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw ProgramFailure() }
    }

    deinit {
        // Nothing is lost that anybody wants.
        _ = close(descriptor)
    }

    /// The content up to so many bytes.
    func bytes(atMost byteCount: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, byteCount, 0))
        }
    }
}

/// A system call for a program that failed, in the system's words.
struct ProgramFailure: Error {
    let reason: String

    init(_ code: Int32 = errno) {
        reason = String(cString: strerror(code))
    }
}

/// Starts a program; it gets the descriptors given and no others.
///
/// Without `input` it shares our standard input, and then our process group, so that it may read the terminal. `extra`
/// becomes its descriptor 3.
func spawn(
    _ words: [String], input: Int32?, output: Int32, errors: Int32? = nil, extra: Int32? = nil,
    variables: [String: String]
) throws(ProgramFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    if let extra { posix_spawn_file_actions_adddup2(&actions, extra, STDERR_FILENO + 1) }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + (extra == nil ? 1 : 2))

    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = input == nil ? 0 : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(
        &attributes, Int16(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let code = withCStrings(words) { words in
        withCStrings(variables.map { "\($0)=\($1)" }) { variables in
            guard let name = words[0] else { return ENOENT }
            return posix_spawnp(&process, name, &actions, &attributes, words, variables)
        }
    }
    guard code == 0 else { throw ProgramFailure(code) }
    return process
}

/// Lends the texts as C has them: an array of pointers that ends with nil.
private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}

/// How a child process ended; nil while it runs.
///
/// Once it has ended its number may be another's. One that somebody else has waited for, or the system where SIGCHLD is
/// ignored, counts as ended without an error: how it ended nobody can tell any more.
func programEnd(_ process: pid_t) -> ProgramEnd? {
    var status: Int32 = 0
    switch waitpid(process, &status, WNOHANG) {
    case process: return ProgramEnd(waitStatus: status)
    case -1 where errno == ECHILD: return .exited(0)
    default: return nil
    }
}

extension ProgramEnd {
    /// Reads what `waitpid` says of a process that has ended (the macros of `sys/wait.h`).
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }
}
