/// Runs what may block on a thread that nobody else needs.
package enum OwnThread {
    /// Runs the work and brings its result; where the system has no thread to give, on the caller's.
    package static func run<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            guard let thread = LoopThread(run: { continuation.resume(returning: work()) }) else {
                return continuation.resume(returning: work())
            }
            thread.detach()
        }
    }
}
