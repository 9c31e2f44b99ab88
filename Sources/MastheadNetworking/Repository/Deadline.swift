/// When a call must be over, and whether it was given up.
struct Deadline: Sendable {
    /// The moment on the clock; `nil` for no limit.
    let moment: Duration?

    private let time: any TimeSource

    /// Sets a deadline that far from now; `nil` sets none.
    init(after duration: Duration?, on time: any TimeSource) {
        self.time = time
        // Without a limit the clock is not even read.
        moment = duration.map { time.now + $0 }
    }

    /// Ends the call if its task was cancelled or its time is over.
    ///
    /// - Parameter timeout: Whether to look at the clock too.
    /// - Throws: ``RepositoryError/cancelled``, or ``RepositoryError/timeout(_:)`` of the total.
    func check(timeout: Bool = true) throws(RepositoryError) {
        if Task.isCancelled { throw .cancelled }
        if timeout, let moment, time.now >= moment { throw .timeout(.total) }
    }

    /// What is left of the time, or `limit` if that is less; `nil` for no limit.
    func remaining(atMost limit: Duration?) -> Duration? {
        guard let moment else { return limit }
        let left = moment - time.now
        return limit.map { min($0, left) } ?? left
    }

    /// When the time is over, or `limit` from now if that is before; `nil` for never.
    func moment(atMost limit: Duration?) -> Duration? {
        guard let limit else { return moment }
        return moment.map { min($0, time.now + limit) } ?? time.now + limit
    }

    /// Whether a wait from now would end in time.
    func allows(_ wait: Duration) -> Bool {
        moment.map { time.now + wait < $0 } ?? true
    }

    /// Waits, unless that would take longer than there is time: then it fails at once.
    func sleep(for duration: Duration) async throws(RepositoryError) {
        let end = time.now + max(duration, .zero)
        if let moment, end >= moment { throw .timeout(.total) }
        do {
            try await time.sleep(until: end)
        } catch {
            throw .cancelled
        }
        try check()
    }
}
