#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread of our own: what blocks must not stand on a thread of Swift's concurrency or of Dispatch.
struct WorkerThread: Sendable {
    private let id: pthread_t

    /// Starts a thread that runs `body` and ends; it must be joined or detached.
    ///
    /// Signals go to the app's other threads, and a write to a closed socket is an error here instead of a `SIGPIPE`.
    init(_ body: @escaping @Sendable () -> Void) throws(ScriptedServerError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 512 << 10)

        let work = Unmanaged.passRetained(Work(body))
        var id = pthread_t()
        let code = pthread_create(&id, &attributes, runWork, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw .system(operation: "pthread_create", code: code)
        }
        self.id = id
    }

    /// Waits for the thread's end.
    ///
    /// A thread that would wait for itself is detached instead.
    func join() {
        if pthread_equal(id, pthread_self()) != 0 {
            pthread_detach(id)
        } else {
            pthread_join(id, nil)
        }
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
