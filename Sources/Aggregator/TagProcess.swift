import FoundationEssentials
import Glibc

/// Writes tags in a process of its own, with limits: podget again, called with a word that only podget uses.
///
/// A hostile file can crash TagLib or keep it busy for ever; it then ends that process and not the one that downloads.
public struct TagProcess {
    /// The first word of the command line of such a process.
    public static let word = "__tag"

    /// The path of podget.
    let program: String
    let variables: [String: String]

    /// Wall time; one that moves the sound of a large file in a slow file system takes a while.
    private static let timeLimit = Duration.seconds(300)

    /// Time of the processor in seconds, and memory in bytes.
    private static let processorLimit: rlim_t = 20
    private static let memoryLimit: rlim_t = 2 << 30

    /// By how many bytes a file may grow: a picture is not all of it.
    private static let growthLimit = 64 << 20

    /// The most bytes of what is asked for and of what is answered.
    private static let messageLimit = 64 << 20

    /// What was asked for, as JSON on standard input.
    private struct Order: Codable {
        let file: String
        let tags: FileTags
    }

    /// What came of it, as JSON on standard output.
    private enum Answer: Codable {
        case written(TagOmissions)
        case unreadable, notSaved, damaging
    }

    enum Outcome: Equatable {
        case written(TagOmissions)
        case unreadable, notSaved, damaging
        case failed(reason: String)
        case interrupted
    }

    /// Writes tags into a file, in place, so that it must be a copy.
    func write(_ tags: FileTags, into file: String) async -> Outcome {
        guard let order = try? JSONEncoder().encode(Order(file: file, tags: tags)),
            let output = try? MemoryFile(), let errors = try? MemoryFile()
        else { return .failed(reason: "there is no memory for them") }
        // A trace of its crash would be read by nobody.
        let variables = variables.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let end = await runProgram(
            [program, Self.word], input: String(decoding: order, as: UTF8.self), variables: variables,
            timeLimit: Self.timeLimit, output: output.descriptor, errors: errors.descriptor)
        switch end {
        case .exited(0): break
        case .exited: return .failed(reason: "the file cannot be read")
        case .signalled(SIGXCPU): return .failed(reason: "it takes too long")
        case .signalled(let number):
            return .failed(reason: "the file crashes the program that writes them (signal \(number))")
        case .timedOut: return .failed(reason: "it takes too long")
        case .interrupted: return .interrupted
        case .notStarted(let reason): return .failed(reason: "podget cannot be started again: \(reason)")
        }
        let answer = Data(output.bytes(atMost: 1000))
        return switch try? JSONDecoder().decode(Answer.self, from: answer) {
        case .written(let leftOut): .written(leftOut)
        case .unreadable: .unreadable
        case .notSaved: .notSaved
        case .damaging: .damaging
        case nil: .failed(reason: "the program that writes them gave no answer")
        }
    }

    /// The work of such a process: reads what is asked for on standard input.
    ///
    /// Returns the answer, for standard output; nil where nothing sensible is asked for.
    public static func answer() -> String? {
        guard let order = try? JSONDecoder().decode(Order.self, from: Data(standardInput())) else {
            return nil
        }
        var status = stat()
        guard stat(order.file, &status) == 0 else { return nil }
        limit(RLIMIT_CORE, to: 0)
        // By a signal of its own first, which tells the reason.
        limit(RLIMIT_CPU, to: processorLimit, atMost: processorLimit + 5)
        limit(RLIMIT_AS, to: memoryLimit)
        limit(RLIMIT_FSIZE, to: rlim_t(Int(status.st_size) + growthLimit))
        let answer: Answer
        do throws(TagFailure) {
            answer = .written(try writeTags(order.tags, into: order.file))
        } catch {
            answer =
                switch error {
                case .unreadable: .unreadable
                case .notSaved: .notSaved
                case .damaging: .damaging
                }
        }
        return (try? JSONEncoder().encode(answer)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lowers a limit of this process; where that fails it goes on without.
    private static func limit(_ resource: __rlimit_resource, to value: rlim_t, atMost hard: rlim_t? = nil) {
        var wanted = rlimit(rlim_cur: value, rlim_max: hard ?? value)
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &wanted)
    }

    private static func standardInput() -> [UInt8] {
        struct TooLong: Error {}
        var bytes: [UInt8] = []
        // What is cut off is no order that can be read.
        try? readDescriptor(STDIN_FILENO, name: "standard input") { piece in
            bytes += piece
            if bytes.count >= messageLimit { throw TooLong() }
        }
        return bytes
    }
}
