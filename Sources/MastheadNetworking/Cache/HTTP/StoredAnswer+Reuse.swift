import FoundationEssentials

extension StoredAnswer {
    /// How it may be served.
    enum Reuse: Sendable, Hashable {
        case asItIs
        case meanwhile
        case afterAsking
    }

    /// How it may be served to a request, by what the server says of it, the request wants and the app allows.
    func reuse(for request: CacheControl, policy: CachePolicy, at now: Date) -> Reuse {
        switch policy {
        case .standard:
            return standardReuse(for: request, at: now)
        case .networkOnly, .networkFirst:
            return .afterAsking
        case .cacheOnly:
            return isFresh(at: now) || mayBeServedStale ? .asItIs : .afterAsking
        case .cacheFirst(let maxAge):
            guard !request.noCache, !control.noCache, age(at: now, isWithin: request.maxAge) else {
                return .afterAsking
            }
            if let maxAge {
                // How old it is cannot be known.
                guard !freshness.isFromFuture(at: now), freshness.age(at: now) <= maxAge.seconds else {
                    return .afterAsking
                }
            }
            if isFresh(at: now) { return leaves(request.minFresh, at: now) ? .asItIs : .afterAsking }
            return mayBeServedStale && request.minFresh == nil ? .asItIs : .afterAsking
        case .staleWhileRevalidate:
            let reuse = standardReuse(for: request, at: now)
            guard reuse == .afterAsking, mayBeServedStale, !request.noCache, !isFresh(at: now) else { return reuse }
            return request.maxAge == nil && request.minFresh == nil ? .meanwhile : .afterAsking
        }
    }

    /// How it may be served by what the server and the request say (RFC 9111, sections 4.2 and 5.2.1).
    private func standardReuse(for request: CacheControl, at now: Date) -> Reuse {
        guard !request.noCache, !control.noCache, !isOutdated, !freshness.isFromFuture(at: now) else {
            return .afterAsking
        }
        if isFresh(at: now) {
            // A reload says max-age=0. What never changes need not be asked for then (RFC 8246).
            let isTooOld = !isImmutable && !age(at: now, isWithin: request.maxAge)
            return !isTooOld && leaves(request.minFresh, at: now) ? .asItIs : .afterAsking
        }
        guard !control.mustRevalidate, request.minFresh == nil, age(at: now, isWithin: request.maxAge) else {
            return .afterAsking
        }
        let staleness = freshness.staleness(at: now)
        if let maxStale = request.maxStale, staleness <= TimeInterval(maxStale) { return .asItIs }
        // Who says how old it may be does not want it stale (section 5.2.1.1).
        guard request.maxAge == nil, let window = control.staleWhileRevalidate else { return .afterAsking }
        return staleness < TimeInterval(window) ? .meanwhile : .afterAsking
    }

    /// Whether it does not change while it is fresh; only over a connection that nobody could change it on (RFC 8246,
    /// section 3).
    private var isImmutable: Bool { control.isImmutable && key.isSecure }

    private func age(at now: Date, isWithin seconds: Int?) -> Bool {
        seconds.map { freshness.age(at: now) <= TimeInterval($0) } ?? true
    }

    /// Whether it stays fresh for some seconds.
    private func leaves(_ seconds: Int?, at now: Date) -> Bool {
        seconds.map { freshness.lifetime - freshness.age(at: now) >= TimeInterval($0) } ?? true
    }
}

extension Duration {
    /// The seconds, with their fraction.
    var seconds: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18 }
}
