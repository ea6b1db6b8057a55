import Glibc

/// Runs the body on a thread of its own, which ends with it; false if the system gives no thread.
func startThread(_ body: sending @escaping () -> Void) -> Bool {
    let context = Unmanaged.passRetained(ThreadBody(run: body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { context in
            if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }, context.toOpaque())
    guard code == 0 else {
        context.release()
        return false
    }
    // It fails only for a thread that does not exist or is detached already.
    _ = pthread_detach(thread)
    return true
}

private final class ThreadBody {
    let run: () -> Void

    init(run: @escaping () -> Void) {
        self.run = run
    }
}
