#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread of the system's own, outside the pools of Swift and Dispatch, which must never be blocked.
struct LoopThread: Sendable {
    private let id: pthread_t

    /// Starts a thread; `nil` if the system has none to give.
    init?(run: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(run))
        var id = pthread_t()
        let code = pthread_create(
            &id,
            nil,
            { argument in
                guard let argument else { return nil }
                refuseFileSizeSignal()
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        guard code == 0 else {
            box.release()
            return nil
        }
        self.id = id
    }

    /// Waits for its end; returns at once when called from it.
    func join() {
        guard pthread_equal(id, pthread_self()) == 0 else { return }
        pthread_join(id, nil)
    }

    /// Lets the system clear it away when it ends.
    func detach() {
        pthread_detach(id)
    }
}

/// A file that grows beyond the process's limit is an error of the call that writes, not the end of the process.
private func refuseFileSizeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

private final class Box: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
