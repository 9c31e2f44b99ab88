#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A few threads of the system's own that take work from one line.
///
/// A thread starts when there is work and nobody to do it, and ends when there was none for a while. What is in the line
/// is done, even if nobody holds this object any longer.
final class Workers: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: `line`, `count` and `idle` are touched only between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrival: UnsafeMutablePointer<pthread_cond_t>
    private var line: [@Sendable () -> Void] = []
    private var count = 0
    private var idle = 0
    private let limit: Int
    private let idleTime: Duration
    private let arePatient: Bool

    /// - Parameters:
    ///   - limit: How many threads there may be.
    ///   - idleTime: How long one without work waits for more.
    ///   - arePatient: Whether they have ``Patience``.
    init(limit: Int, idleTime: Duration, arePatient: Bool = false) {
        self.limit = limit
        self.idleTime = idleTime
        self.arePatient = arePatient
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        arrival = .allocate(capacity: 1)
        arrival.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(arrival, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(arrival)
        arrival.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Puts work at the end of the line.
    ///
    /// - Returns: Whether there is a thread for it; if not, it will never be done.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if idle <= line.count, count < limit {
            if OwnThread.start(isPatient: arePatient, { self.run() }) {
                count += 1
            } else if count == 0 {
                return false
            }
        }
        line.append(work)
        pthread_cond_signal(arrival)
        return true
    }

    /// How many threads there are.
    var threadCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return count
    }

    private func run() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if line.isEmpty {
            var deadline = timespec()
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            deadline.advance(by: idleTime)
            idle += 1
            defer { idle -= 1 }
            while line.isEmpty {
                guard pthread_cond_timedwait(arrival, mutex, &deadline) == ETIMEDOUT, line.isEmpty else { continue }
                count -= 1
                return nil
            }
        }
        return line.removeFirst()
    }
}

extension timespec {
    fileprivate mutating func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        tv_sec += Int(clamping: min(seconds, 1 << 32))
        tv_nsec += Int(attoseconds / 1_000_000_000)
        if tv_nsec >= 1_000_000_000 {
            tv_nsec -= 1_000_000_000
            tv_sec += 1
        }
    }
}
