extension OwnThread {
    /// Runs what may block on a thread that nobody else needs; where the system has none to give, on the caller's.
    static func run<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            if !start({ continuation.resume(returning: work()) }) { continuation.resume(returning: work()) }
        }
    }
}
