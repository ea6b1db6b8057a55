import Dispatch
import Glibc
import Synchronization

extension Podget {
    /// Runs one command line; Ctrl-C and SIGTERM cancel it, so that it saves its state and ends.
    ///
    /// A second signal ends the process at once: everything that must survive is on disk at any time.
    static func runUntilSignal(_ words: [String], in environment: Environment) async -> ExitCode {
        let wasInterrupted = Mutex(false)
        let work = Task { await run(words, in: environment) }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let isSecond = wasInterrupted.withLock { flag in
                    defer { flag = true }
                    return flag
                }
                if isSecond {
                    if environment.liveSize != nil { try? environment.output.write(LiveLines.erasure) }
                    _exit(ExitCode.interrupted.rawValue)
                }
                work.cancel()
            }
            source.resume()
            return source
        }
        let code = await work.value
        for source in sources { source.cancel() }
        return wasInterrupted.withLock { $0 } ? .interrupted : code
    }
}
