import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Something that happens once; tasks await it, and jobs on threads of their own may stand still for it.
final class Signal: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the semaphore is the system's and may be used from any thread.
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let state = Lock<(isFired: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func fire() {
        let waiting = state.withLock { state in
            state.isFired = true
            defer { state.waiting = [] }
            return state.waiting
        }
        sem_post(semaphore)
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isFired = state.withLock { state in
                if !state.isFired { state.waiting.append(continuation) }
                return state.isFired
            }
            if isFired { continuation.resume() }
        }
    }

    /// Stands still until it happens, on a thread that may.
    func block() {
        while sem_wait(semaphore) != 0 {}
        sem_post(semaphore)
    }
}
