#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#elseif canImport(Darwin)
package import Darwin
#endif

/// A value that one thread at a time may see.
///
/// Over `pthread_mutex` rather than `Synchronization.Mutex`, for which the thread sanitizer reports races that are
/// none (Swift 6.3.1). Hold it briefly: never across an `await`, a callback, or the resumption of a continuation. Who
/// finds it taken looks again for a moment before sleeping, where the C library can do that.
package final class Lock<State>: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: `state` is touched only between lock and unlock of `mutex`.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Nobody comes to it twice at a time, since the mutex is none that its owner could lock again: no need to check that.
    @exclusivity(unchecked) @usableFromInline var state: State

    package init(_ state: sending State) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        #if canImport(Glibc)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        #else
        pthread_mutex_init(mutex, nil)
        #endif
        self.state = state
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
