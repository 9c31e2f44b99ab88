extension Transfer {
    /// Tells what is known of the attempt, if somebody wants to know.
    func reportMetrics() {
        guard let report = request.onMetrics else { return }
        var metrics = TransportMetrics()
        handle?.addMeasurements(to: &metrics, on: attempt.ends, hasBody: request.body != nil)
        let now = clock.now
        metrics.queue = submission.map { (start ?? now) - $0 }
        metrics.total = submission.map { now - $0 }
        metrics.isSecondAttempt = isRetry
        report(consume metrics)
    }
}
