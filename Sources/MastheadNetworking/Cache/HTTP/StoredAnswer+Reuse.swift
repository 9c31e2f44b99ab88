import FoundationEssentials

extension StoredAnswer {
    /// How an answer may be served.
    enum Reuse: Sendable, Hashable {
        /// At once.
        case asItIs
        /// At once, and the server is asked meanwhile.
        case meanwhile
        /// If the server says that it holds.
        case afterAsking
    }

    /// How it may be served to a request, by what the server says of it, the request wants and the app allows.
    func reuse(for request: CacheControl, policy: CachePolicy, at now: Date) -> Reuse {
        switch policy {
        case .standard: standardReuse(for: request, at: now)
        case .networkOnly, .networkFirst: .afterAsking
        case .cacheOnly: isFresh(at: now) || mayBeServedStale ? .asItIs : .afterAsking
        case .cacheFirst(let maxAge): cacheFirstReuse(for: request, maxAge: maxAge, at: now)
        case .staleWhileRevalidate: eagerReuse(for: request, at: now)
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

    /// How it may be served to an app that takes it up to an age, fresh or not.
    private func cacheFirstReuse(for request: CacheControl, maxAge: Duration?, at now: Date) -> Reuse {
        guard !request.noCache, age(at: now, isWithin: request.maxAge) else { return .afterAsking }
        if let maxAge {
            // How old it is cannot be known if it is from the future.
            let isKnown = !freshness.isFromFuture(at: now)
            guard isKnown, freshness.age(at: now) <= maxAge.seconds else { return .afterAsking }
        }
        if isFresh(at: now) { return leaves(request.minFresh, at: now) ? .asItIs : .afterAsking }
        return mayBeServedStale && request.minFresh == nil ? .asItIs : .afterAsking
    }

    /// How it may be served to an app that takes it at any age, and wants a newer one for the next time.
    private func eagerReuse(for request: CacheControl, at now: Date) -> Reuse {
        let reuse = standardReuse(for: request, at: now)
        guard reuse == .afterAsking, mayBeServedStale else { return reuse }
        let hasWish = request.noCache || request.maxAge != nil || request.minFresh != nil
        return hasWish ? .afterAsking : .meanwhile
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
