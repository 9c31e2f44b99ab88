#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread of the system's own, outside the pools of Swift and Dispatch, which must never be blocked.
enum OwnThread {
    /// Starts a thread that runs `body` and ends.
    ///
    /// - Parameters:
    ///   - isPatient: Whether it waits for its turn when all processors are busy, instead of taking one from a thread that
    ///     runs as soon as there is something to do (`SCHED_BATCH`, sched(7)); on Linux.
    ///   - body: What to do.
    /// - Returns: Whether the system had one to give.
    static func start(isPatient: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 1 << 20)

        let work = Unmanaged.passRetained(Work(isPatient: isPatient, body: body))
        var id = pthread_t()
        guard pthread_create(&id, &attributes, runWork, work.toOpaque()) == 0 else {
            work.release()
            return false
        }
        return true
    }
}

private final class Work: Sendable {
    let isPatient: Bool
    let body: @Sendable () -> Void

    init(isPatient: Bool, body: @escaping @Sendable () -> Void) {
        self.isPatient = isPatient
        self.body = body
    }
}

/// Signals go to the app's other threads; a file that grows beyond the process's limit is an error of the call that
/// writes, not the end of the process.
private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
    #if os(Linux)
    if work.isPatient {
        // SCHED_BATCH, which Swift does not see.
        var parameter = sched_param()
        sched_setscheduler(0, 3, &parameter)
    }
    #endif
    work.body()
    return nil
}
