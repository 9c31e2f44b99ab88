import MastheadLock

/// How many retries each host may get, so that retries never make an outage worse.
///
/// ```swift
/// $0.retry = .standard
/// $0.retryBudget = RetryBudget(retriesPerRequest: 0.2)
/// ```
///
/// Ten retries are there at first. Each request gives a tenth of one back and so does each second; none is left when most
/// requests fail, and then a failure is final at once. So a host that is down gets at most a tenth more requests than
/// were asked for, and one in ten seconds.
///
/// A configuration has one of its own, which its copies share; give the same one to several configurations that ask the
/// same hosts. A host is a scheme, a name and a port, and the last 256 are remembered. It is safe to use from any thread.
public final class RetryBudget: Sendable {
    private let rate: RetryTokens.Rate
    private let hosts = Lock(OriginTable<RetryTokens>())

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - retriesPerRequest: How much of a retry each request gives back.
    ///   - interval: The time that gives back one retry, so that an app that asks seldom has some too.
    ///   - maximum: How many can be left unused.
    public init(retriesPerRequest: Double = 0.1, interval: Duration = .seconds(10), maximum: Int = 10) {
        rate = RetryTokens.Rate(perRequest: retriesPerRequest, interval: interval, maximum: Double(maximum))
    }

    /// Counts a request that is no retry.
    package func countRequest(to origin: Origin, at now: Duration) {
        update(origin, at: now) { $0.countRequest(at: now) }
    }

    /// Takes a retry out; `false` if none is left for that host.
    package func takeRetry(to origin: Origin, at now: Duration) -> Bool {
        update(origin, at: now) { $0.takeRetry(at: now) }
    }

    private func update<Output: Sendable>(
        _ origin: Origin,
        at now: Duration,
        _ change: (inout RetryTokens) -> Output
    ) -> Output {
        hosts.withLock { $0.update(origin, startingWith: RetryTokens(rate, at: now), change) }
    }
}
