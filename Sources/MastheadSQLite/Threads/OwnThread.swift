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
    ///   - isPatient: Whether it has ``Patience``.
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
        let code = Patience.pause { pthread_create(&id, &attributes, runWork, work.toOpaque()) }
        guard code == 0 else {
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
    if work.isPatient { Patience.begin() }
    work.body()
    return nil
}
