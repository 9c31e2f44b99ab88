package import FoundationEssentials

/// How long an answer is fresh, and how old it is (RFC 9111, section 4.2), in seconds.
///
/// Three rules keep a clock that is set, here or there, from doing harm:
///
/// - An answer that is from the future has been kept while the clock was set back. It is not fresh, so it is validated once,
///   and has the new time from then on. Its age counts as far as the clock was moved at least.
/// - No age is negative, whichever clock is behind.
/// - That the server's `Date` lies more than a day back is the fault of a clock, not of caches on the way that do not know
///   `Age`: only less than that counts as an apparent age. (Section 4.2.3 leaves it open whether it counts at all.)
///   Otherwise nothing would ever be fresh where the clock is wrong.
package struct Freshness: Sendable, Hashable {
    /// The longest lifetime that is guessed (section 4.2.2): a day.
    static let maximumHeuristic: TimeInterval = 86400

    /// The longest apparent age that is believed: a day.
    static let maximumApparentAge: TimeInterval = 86400

    /// What the clock may be set back without an answer's being from the future.
    static let tolerance: TimeInterval = 5

    /// When the server made the answer, or when it came if the server does not say.
    package let date: Date

    /// When it came.
    package let responseTime: Date

    /// How long it is fresh, counted from ``date``.
    package let lifetime: TimeInterval

    /// Whether the server said so, by `max-age` or `Expires`; otherwise it is guessed.
    package let isExplicit: Bool

    /// How old it was when it came (section 4.2.3: `corrected_initial_age`).
    package let initialAge: TimeInterval

    init(
        status: Int,
        headers: HTTPHeaders,
        control: CacheControl,
        requestTime: Date,
        responseTime: Date
    ) {
        let sent = headers["Date"].flatMap { Date(httpDate: $0.trimmingBlanks, now: responseTime) }
        date = sent ?? responseTime
        self.responseTime = responseTime
        if let explicit = Self.explicitLifetime(headers: headers, control: control, date: date, now: responseTime) {
            lifetime = explicit
            isExplicit = true
        } else {
            let isGuessable = StoredAnswer.heuristicStatuses.contains(status) || control.isPublic
            lifetime = isGuessable ? Self.heuristicLifetime(headers: headers, date: date, now: responseTime) : 0
            isExplicit = false
        }
        let apparent = responseTime.timeIntervalSince(date)
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        let corrected = Self.ageValue(in: headers) + delay
        initialAge = apparent > Self.maximumApparentAge ? corrected : max(apparent, corrected)
    }

    /// How old it is at a date (section 4.2.3: `current_age`).
    package func age(at now: Date) -> TimeInterval {
        let resident = now.timeIntervalSince(responseTime)
        if resident < 0, !isFromFuture(at: now) { return initialAge }
        return initialAge + resident.magnitude
    }

    /// Whether it came later than it can have.
    package func isFromFuture(at now: Date) -> Bool {
        responseTime.timeIntervalSince(now) > Self.tolerance
    }

    /// Whether it may be served without a thought.
    package func isFresh(at now: Date) -> Bool {
        !isFromFuture(at: now) && lifetime > age(at: now)
    }

    /// How long it has not been fresh any more; 0 if it still is.
    package func staleness(at now: Date) -> TimeInterval {
        max(0, age(at: now) - lifetime)
    }

    /// What the server says (section 4.2.1); `nil` if it says nothing, 0 if it cannot be understood.
    private static func explicitLifetime(
        headers: HTTPHeaders,
        control: CacheControl,
        date: Date,
        now: Date
    ) -> TimeInterval? {
        if let maxAge = control.maxAge { return TimeInterval(maxAge) }
        let expires = headers.values(of: "Expires")
        guard !expires.isEmpty else { return nil }
        // Of several the earliest, which is the strictest.
        let lifetimes = expires.map { value in
            Date(httpDate: value.trimmingBlanks, now: now)?.timeIntervalSince(date) ?? 0
        }
        return min(max(0, lifetimes.min() ?? 0), TimeInterval(CacheControl.maximumSeconds))
    }

    /// A tenth of the time that it has not changed for (section 4.2.2).
    private static func heuristicLifetime(headers: HTTPHeaders, date: Date, now: Date) -> TimeInterval {
        guard let field = headers["Last-Modified"], let modified = Date(httpDate: field.trimmingBlanks, now: now) else {
            return 0
        }
        return min(max(0, date.timeIntervalSince(modified) / 10), maximumHeuristic)
    }

    /// The `Age` field (section 5.1): the first of several, and 0 if it is no number.
    private static func ageValue(in headers: HTTPHeaders) -> TimeInterval {
        guard let field = headers["Age"] else { return 0 }
        let text = field.prefix { $0 != "," }.description.trimmingBlanks
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return 0 }
        return TimeInterval(min(Int(text) ?? CacheControl.maximumSeconds, CacheControl.maximumSeconds))
    }
}
