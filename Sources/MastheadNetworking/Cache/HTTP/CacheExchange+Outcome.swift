package import FoundationEssentials

extension CacheExchange {
    /// What the server's answer does to what is stored (RFC 9111, sections 3 and 4.3.3 to 4.3.5).
    ///
    /// Besides, see ``CacheRequest/invalidatedKeys(by:)``.
    package func outcome(of answer: ReceivedAnswer) -> CacheOutcome {
        if request.method == .head { return headOutcome(of: answer) }
        guard request.isCacheable else { return .pass(removing: []) }
        if answer.status == 304 { return notModifiedOutcome(of: answer) }
        if let failure = CacheFailure(status: answer.status) {
            return fallback(after: failure, at: answer.responseTime).map { .fallBack(candidate: $0) }
                ?? .pass(removing: [])
        }
        do throws(StoringRefusal) {
            return .store(try StoredAnswer(storing: answer, to: request), replacing: matching)
        } catch {
            return .pass(removing: isOvertaken(by: answer) ? matching : [])
        }
    }

    /// The candidate that may stand in for the server's answer after a failure; `nil` if the failure is the answer.
    package func fallback(after failure: CacheFailure, at now: Date) -> Int? {
        guard request.isCacheable, let selected else { return nil }
        let stored = candidates[selected]
        guard stored.isFresh(at: now) || stored.mayBeServedStale else { return nil }
        switch policy {
        case .networkOnly, .cacheOnly:
            return nil
        case .networkFirst(let limit):
            return limit.map { stored.freshness.age(at: now) <= $0.seconds } ?? true ? selected : nil
        case .standard, .cacheFirst, .staleWhileRevalidate:
            // Who wants it validated says themselves if they take it in need (RFC 5861, section 4).
            let window = request.control.noCache ? nil : stored.control.staleIfError
            guard let seconds = [window, request.control.staleIfError].compactMap(\.self).max() else { return nil }
            return stored.freshness.staleness(at: now) < TimeInterval(seconds) ? selected : nil
        }
    }

    /// Whether what is stored is not what the server has any more, though the answer is not stored itself.
    private func isOvertaken(by answer: ReceivedAnswer) -> Bool {
        guard !request.control.noStore else { return false }
        switch answer.status {
        case 206: return false
        case 200...399, 404, 410: return true
        default: return false
        }
    }

    /// What a 304 does (sections 4.3.3 and 4.3.4).
    private func notModifiedOutcome(of answer: ReceivedAnswer) -> CacheOutcome {
        // Nothing was asked that this could be the answer to.
        guard let selected, !validators.isEmpty else { return .pass(removing: []) }
        let named = named(by: answer, validated: selected)
        guard named.contains(selected) else { return .fetchAgain }
        var updates: [Int: StoredAnswer] = [:]
        var removed: [Int] = []
        for place in named {
            let isMatching = matching.contains(place)
            let (freshened, isKept) = candidates[place].freshened(by: answer, to: isMatching ? request : nil)
            if isKept { updates[place] = freshened } else { removed.append(place) }
        }
        let served = candidates[selected].freshened(by: answer, to: request).answer
        return .freshen(candidate: selected, answer: served, updates: updates, removing: removed)
    }

    /// The candidates that a 304 speaks of (section 4.3.4).
    ///
    /// A strong tag speaks of all those that have it. Any other speaks of the one that was validated, if its tag is the same
    /// but for being weak: nginx makes the tag of what it compresses a weak one, but not that of a 304. Without a tag,
    /// `Last-Modified` speaks of the one that was validated, if it is the same. A 304 with neither is about what it was
    /// asked for.
    private func named(by answer: ReceivedAnswer, validated: Int) -> [Int] {
        let stored = candidates[validated]
        if let field = answer.headers["ETag"] {
            guard let tag = EntityTag(field) else { return [] }
            return candidates.indices.filter { place in
                guard candidates[place].key == request.key, let own = candidates[place].entityTag else { return false }
                return own.matchesStrongly(tag) || place == validated && own.matchesWeakly(tag)
            }
        }
        if let modified = answer.headers.date("Last-Modified", now: answer.responseTime) {
            return stored.lastModified == modified ? [validated] : []
        }
        return [validated]
    }

    /// What the answer to HEAD does (section 4.3.5).
    private func headOutcome(of answer: ReceivedAnswer) -> CacheOutcome {
        guard answer.status == 200, !request.hasOwnCondition, !request.control.noStore, !matching.isEmpty else {
            return .pass(removing: [])
        }
        var updates: [Int: StoredAnswer] = [:]
        var removed: [Int] = []
        for place in matching {
            let stored = candidates[place]
            guard stored.isDescribed(by: answer) else {
                updates[place] = stored.outdated
                continue
            }
            let (freshened, isKept) = stored.freshened(by: answer, to: request)
            if isKept { updates[place] = freshened } else { removed.append(place) }
        }
        return .update(updates, removing: removed)
    }
}

extension StoredAnswer {
    /// Whether what HEAD was answered is about the same bytes: everything that it says of them is what is stored.
    fileprivate func isDescribed(by answer: ReceivedAnswer) -> Bool {
        if let field = answer.headers["ETag"] {
            guard let tag = EntityTag(field), entityTag?.matchesWeakly(tag) ?? false else { return false }
        }
        if let field = answer.headers["Last-Modified"] {
            guard let modified = Date(httpDate: field.trimmingBlanks, now: answer.responseTime),
                lastModified == modified
            else { return false }
        }
        if let length = answer.headers.contentLength {
            guard headers.contentLength == length else { return false }
        }
        return true
    }
}
