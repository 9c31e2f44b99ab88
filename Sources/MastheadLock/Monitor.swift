#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A value that one thread at a time may see, and that a thread blocks for until it is as it should be: never one of
/// Swift's or Dispatch's pools.
package final class Monitor<State>: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: `state` and `waiting` are touched only between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State
    private var waiting = 0

    package init(_ state: sending State) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
        self.state = state
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value, and has nobody look at it again for that.
    package func quietly<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Runs `body` alone with the value, and lets all look at it again who wait.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        defer { tell() }
        return body(&state)
    }

    /// Runs `body` alone with the value, now and after each change of others, until it makes something of it; blocks the
    /// thread meanwhile.
    ///
    /// - Parameters:
    ///   - concernsOthers: Whether those who wait are to look again, once `body` has made something of it.
    ///   - body: What to do.
    /// - Returns: What it made.
    package func wait<Result>(
        tellingIf concernsOthers: (State) -> Bool = { _ in true },
        _ body: (inout State) -> Result?
    ) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = result(of: body, tellingIf: concernsOthers) { return result }
            waiting += 1
            pthread_cond_wait(condition, mutex)
            waiting -= 1
        }
    }

    /// Runs `body` alone with the value, once.
    ///
    /// - Parameters:
    ///   - concernsOthers: Whether those who wait are to look again, if `body` has made something of it.
    ///   - body: What to do.
    /// - Returns: What it made; `nil` if it would have to wait.
    package func attempt<Result>(
        tellingIf concernsOthers: (State) -> Bool = { _ in true },
        _ body: (inout State) -> Result?
    ) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return result(of: body, tellingIf: concernsOthers)
    }

    private func result<Result>(of body: (inout State) -> Result?, tellingIf concernsOthers: (State) -> Bool) -> Result?
    {
        guard let result = body(&state) else { return nil }
        if waiting > 0, concernsOthers(state) { tell() }
        return result
    }

    /// Whether a thread waits.
    package var isAwaited: Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return waiting > 0
    }

    private func tell() {
        if waiting > 0 { pthread_cond_broadcast(condition) }
    }
}
