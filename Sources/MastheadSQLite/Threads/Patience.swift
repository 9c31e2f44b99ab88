#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How threads are scheduled that have work to do for which nobody stands still.
///
/// Such a thread takes no processor from another that runs when there is something to do, but goes on when one is free or
/// it is its turn (`SCHED_BATCH`, sched(7)). On Linux; where the process may not say so, or has said otherwise, nothing
/// is changed.
package enum Patience {
    /// `SCHED_BATCH`, which Swift does not see.
    private static let batch: Int32 = 3

    /// Makes this thread patient.
    static func begin() {
        #if os(Linux)
        _ = change(from: SCHED_OTHER, to: batch)
        #endif
    }

    /// Runs on this thread, as if it were not patient, what may start others, which are scheduled as it is, or what waits for
    /// others that work for it.
    package static func pause<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if os(Linux)
        let isPatient = change(from: batch, to: SCHED_OTHER)
        defer { if isPatient { begin() } }
        #endif
        return try body()
    }

    #if os(Linux)
    private static func change(from old: Int32, to new: Int32) -> Bool {
        var policy: Int32 = 0
        var parameter = sched_param()
        guard pthread_getschedparam(pthread_self(), &policy, &parameter) == 0, policy == old else { return false }
        return pthread_setschedparam(pthread_self(), new, &parameter) == 0
    }
    #endif
}
