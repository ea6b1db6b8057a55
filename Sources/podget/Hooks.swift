import Aggregator
import Synchronization

/// Runs the user's programs for what happens, one after another, while the work goes on.
///
/// A hook gets the event as one line of JSON on standard input, as `--json` prints it. What goes wrong with it is told
/// and changes nothing.
final class Hooks: Sendable {
    private struct Job: Sendable {
        let name: String
        let words: [String]
        let event: String
    }

    private struct State {
        var isFollowing = false
        var started: Set<Int64> = []
    }

    private let settings: HookSettings
    private let homeFolder: String?
    private let state = Mutex(State())
    private let jobs: AsyncStream<Job>.Continuation
    private let worker: Task<Void, Never>

    /// `complain` is called from a task of its own.
    init(
        _ settings: HookSettings, variables: [String: String], complain: @escaping @Sendable (String) -> Void
    ) {
        self.settings = settings
        homeFolder = variables["HOME"]
        let (stream, continuation) = AsyncStream.makeStream(of: Job.self)
        jobs = continuation
        worker = Task {
            for await job in stream {
                let end = await runProgram(
                    job.words, input: job.event, variables: variables, timeLimit: settings.timeLimit)
                if let problem = end.problem(timeLimit: settings.timeLimit) {
                    complain("the hook '\(job.name)' (\(job.words[0])) \(problem)")
                }
            }
        }
    }

    /// Takes note of an event, on any thread.
    func take(_ event: SyncEvent) {
        switch event {
        case .queueHeldElsewhere:
            state.withLock { $0.isFollowing = true }
        case .downloadStarted(let episode, _, _):
            _ = state.withLock { $0.started.insert(episode.id) }
        case .downloadFinished(let episode, _) where isOurs(episode):
            run("downloaded", settings.downloaded, event)
        case .downloadFailed(let episode, _, _) where isOurs(episode):
            run("failed", settings.failed, event)
        default:
            break
        }
    }

    /// Waits until all hooks have run; with a summary the one for a sync runs too.
    ///
    /// A cancelled task does not wait: the running hook is killed, the others do not run.
    func finish(_ summary: SyncSummary?) async {
        if let summary, !Task.isCancelled, let words = settings.synced {
            add("synced", words, EventRow(summary))
        }
        jobs.finish()
        await withTaskCancellationHandler {
            await worker.value
        } onCancel: {
            worker.cancel()
        }
    }

    /// Whether this process downloads the episode: the one that is followed runs its own hooks.
    private func isOurs(_ episode: EpisodeReference) -> Bool {
        state.withLock { !$0.isFollowing || $0.started.contains(episode.id) }
    }

    private func run(_ name: String, _ words: [String]?, _ event: SyncEvent) {
        guard let words, let row = EventRow(event) else { return }
        add(name, words, row)
    }

    private func add(_ name: String, _ words: [String], _ row: EventRow) {
        // A row of strings and numbers is always encoded.
        guard let event = try? jsonText(row, isIndented: false) else { return }
        var words = words
        if let homeFolder, words[0].hasPrefix("~/") { words[0] = homeFolder + words[0].dropFirst() }
        jobs.yield(Job(name: name, words: words, event: event))
    }
}

extension ProgramEnd {
    fileprivate func problem(timeLimit: Duration) -> String? {
        switch self {
        case .exited(0), .interrupted: nil
        case .exited(let code): "ended with exit code \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        case .timedOut: "took longer than \(timeLimit.components.seconds) s and was ended"
        case .notStarted(let reason): "cannot be run: \(reason)"
        }
    }
}

extension Environment {
    /// Does work that reports events: prints them, runs the hooks, and gives the exit code.
    ///
    /// `isSync` tells that the end of the work is the end of a sync.
    func reporting(
        _ aggregator: Aggregator, isSync: Bool,
        _ work: (@escaping SyncReport) async throws -> SyncSummary
    ) async throws -> ExitCode {
        let printer = EventPrinter(self)
        let hooks = Hooks(aggregator.settings.hooks, variables: variables) { problem in
            // On standard error also where the events are JSON.
            if options.wantsJSON { complain(problem) } else { printer.print(.note(problem)) }
        }
        let notification = Notification(
            isWanted: isSync && aggregator.settings.notify, variables: variables)
        do {
            let summary = try await work { event in
                printer.print(event)
                hooks.take(event)
                notification.take(event)
            }
            await hooks.finish(isSync ? summary : nil)
            await notification.send()
            return try printer.finish(summary)
        } catch {
            await hooks.finish(nil)
            // The error at hand is what the user is told of.
            _ = try? printer.finish()
            throw error
        }
    }
}
