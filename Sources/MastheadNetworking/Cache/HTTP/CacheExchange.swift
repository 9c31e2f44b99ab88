package import FoundationEssentials

/// A request, what an app wants, and what is stored under the request's key: everything the cache decides by.
///
/// ```swift
/// let exchange = CacheExchange(request: request, policy: .standard, candidates: stored)
/// switch exchange.decision(at: now) { … }
/// switch exchange.outcome(of: answer) { … }
/// ```
///
/// Candidates are named by their place in ``candidates``.
package struct CacheExchange: Sendable, Hashable {
    /// The request.
    package let request: CacheRequest

    /// What the app wants.
    package let policy: CachePolicy

    /// Everything stored under the request's key, in any order.
    package let candidates: [StoredAnswer]

    /// The candidates that are for such a request (RFC 9111, section 4.1).
    package let matching: [Int]

    /// The one of them that counts: the most recent by its `Date`; `nil` if there is none.
    package let selected: Int?

    /// Whether nothing is validated, because the server disowned what it was asked about.
    private let asksWithoutValidators: Bool

    /// Brings together what is decided by.
    package init(request: CacheRequest, policy: CachePolicy, candidates: [StoredAnswer]) {
        self.init(request: request, policy: policy, candidates: candidates, asksWithoutValidators: false)
    }

    private init(request: CacheRequest, policy: CachePolicy, candidates: [StoredAnswer], asksWithoutValidators: Bool) {
        self.request = request
        self.policy = policy
        self.candidates = candidates
        self.asksWithoutValidators = asksWithoutValidators
        matching = candidates.indices.filter { place in
            candidates[place].key == request.key && candidates[place].variant.matches(request.headers)
        }
        selected = matching.max { candidates[$0].isOlder(than: candidates[$1]) }
    }

    /// The same exchange, in which nothing is validated; see ``CacheOutcome/fetchAgain``.
    package var withoutValidators: CacheExchange {
        CacheExchange(request: request, policy: policy, candidates: candidates, asksWithoutValidators: true)
    }

    /// What to do about the request at a date (section 4).
    package func decision(at now: Date) -> CacheDecision {
        guard request.method == .get || request.method == .head, request.key != nil else { return .bypass }
        let asksNobody = request.control.onlyIfCached || policy == .cacheOnly
        guard !request.hasOwnCondition else { return asksNobody ? .unsatisfiable : .bypass }
        guard request.method == .get, let selected else { return asksNobody ? .unsatisfiable : .fetch }
        let validators = validators
        switch candidates[selected].reuse(for: request.control, policy: policy, at: now) {
        case .asItIs: return .fresh(candidate: selected)
        case .meanwhile where !asksNobody: return .staleWhileRevalidate(candidate: selected, adding: validators)
        case .meanwhile: return .fresh(candidate: selected)
        case .afterAsking:
            if asksNobody { return .unsatisfiable }
            return validators.isEmpty ? .fetch : .validate(candidate: selected, adding: validators)
        }
    }

    /// What to ask with whether the selected answer still holds (section 4.3.1); empty to ask for a whole one.
    ///
    /// What a request with `no-store` is answered would not be kept, so that it freshens nothing.
    var validators: HTTPHeaders {
        guard let selected, request.isCacheable, !request.control.noStore, !asksWithoutValidators else { return [:] }
        return candidates[selected].validators
    }
}

extension StoredAnswer {
    /// Whether another one is to be preferred (section 4): by `Date`, which cannot be later than when it came.
    fileprivate func isOlder(than other: StoredAnswer) -> Bool {
        let (date, otherDate) = (min(freshness.date, responseTime), min(other.freshness.date, other.responseTime))
        return (date, responseTime) < (otherDate, other.responseTime)
    }
}
