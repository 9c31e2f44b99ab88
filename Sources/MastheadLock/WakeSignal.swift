#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets one thread sleep until another wakes it; a wake that comes first is not lost.
///
/// For threads of the library's own: no thread of Swift's or Dispatch's may ever wait here.
package final class WakeSignal: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: `isSet` is touched only between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isSet = false

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wall clock that is set must not make a wait longer.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Wakes the thread that waits, or the next one that does.
    package func set() {
        pthread_mutex_lock(mutex)
        isSet = true
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
    }

    /// Waits until it is set, or for so many milliseconds; clears it.
    package func wait(milliseconds: Int) {
        let end = Self.moment(in: milliseconds)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isSet, Self.timedWait(condition, mutex, until: end) == 0 {}
        isSet = false
    }

    private static func moment(in milliseconds: Int) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let nanoseconds = now.tv_nsec + milliseconds % 1000 * 1_000_000
        return timespec(
            tv_sec: now.tv_sec + milliseconds / 1000 + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000
        )
    }

    private static func timedWait(
        _ condition: UnsafeMutablePointer<pthread_cond_t>,
        _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
        until end: timespec
    ) -> Int32 {
        #if canImport(Darwin)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let left = (end.tv_sec - now.tv_sec) * 1_000_000_000 + (end.tv_nsec - now.tv_nsec)
        var wait = timespec(tv_sec: max(0, left) / 1_000_000_000, tv_nsec: max(0, left) % 1_000_000_000)
        return pthread_cond_timedwait_relative_np(condition, mutex, &wait)
        #else
        var end = end
        return pthread_cond_timedwait(condition, mutex, &end)
        #endif
    }
}
