/// Runs what may block on a thread that nobody else needs.
package enum OwnThread {
    /// Runs the work and brings its result; where the system has no thread to give, on the caller's.
    package static func run<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            let isStarted = start { continuation.resume(returning: work()) }
            if !isStarted { continuation.resume(returning: work()) }
        }
    }

    /// Runs the work while the caller goes on.
    ///
    /// - Returns: Whether the system has a thread to give; without one nothing is run.
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = LoopThread(run: work) else { return false }
        thread.detach()
        return true
    }
}
