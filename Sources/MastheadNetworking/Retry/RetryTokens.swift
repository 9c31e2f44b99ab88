/// How many retries one host may still get: a bucket of tokens, with the time passed in.
package struct RetryTokens: Sendable, Hashable {
    /// How fast the bucket fills, and how far.
    package struct Rate: Sendable, Hashable {
        package let perRequest: Double
        package let interval: Duration
        package let maximum: Double

        package init(perRequest: Double, interval: Duration, maximum: Double) {
            self.perRequest = max(perRequest, 0)
            self.interval = interval
            self.maximum = max(maximum, 0)
        }
    }

    /// The retries that are left; the part below one is not enough for any.
    package private(set) var tokens: Double

    private let rate: Rate
    private var filled: Duration

    /// Starts with a full bucket.
    package init(_ rate: Rate, at now: Duration) {
        self.rate = rate
        tokens = rate.maximum
        filled = now
    }

    /// Counts a request that is no retry.
    package mutating func countRequest(at now: Duration) {
        fill(at: now)
        tokens = min(tokens + rate.perRequest, rate.maximum)
    }

    /// Takes a retry out; `false` if none is left.
    package mutating func takeRetry(at now: Duration) -> Bool {
        fill(at: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Adds what time itself gives back.
    private mutating func fill(at now: Duration) {
        guard rate.interval > .zero, now > filled else { return }
        tokens = min(tokens + (now - filled) / rate.interval, rate.maximum)
        filled = now
    }
}
