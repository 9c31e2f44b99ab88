import FoundationEssentials

/// One request's way through the cache: what is kept for it, and what is done with that.
struct CacheStep: Sendable {
    enum Taken: Sendable {
        case response(HTTPResponse)
        case askAgain
    }

    private(set) var kept: [KeptAnswer]
    var exchange: CacheExchange
    let key: EntryKey
    let caching: CallCaching

    /// How often answers had been made invalid when this began.
    private let invalidations: Int

    init(kept: [KeptAnswer], exchange: CacheExchange, key: EntryKey, caching: CallCaching) {
        self.kept = kept
        self.exchange = exchange
        self.key = key
        self.caching = caching
        invalidations = caching.invalidations
    }

    /// Goes on as if nothing were kept, since a payload is gone.
    mutating func withoutAnything(at now: Date) -> CacheDecision {
        kept = []
        exchange = CacheExchange(request: exchange.request, policy: exchange.policy, candidates: [])
        return exchange.decision(at: now)
    }

    /// The answer to hand on for what is kept; `nil` if its payload is gone.
    ///
    /// - Parameters:
    ///   - place: Which of the answers.
    ///   - request: The request.
    ///   - now: The date.
    ///   - confirmed: The head with what the server has just said of it; `nil` if it was not asked.
    /// - Returns: The answer.
    func response(
        of place: Int,
        to request: HTTPRequest,
        at now: Date,
        confirmed: StoredAnswer? = nil
    ) async -> HTTPResponse? {
        guard kept.indices.contains(place) else { return nil }
        var chosen = kept[place]
        var body = Data()
        var reader: BodyReader?
        if request.delivery == .stream {
            var first = chosen.body
            if first == nil, chosen.record.size > 0 {
                first = await caching.partition.store.piece(0, of: chosen.record, key: key)
            }
            guard let first = first ?? (chosen.record.size == 0 ? Data() : nil) else {
                caching.partition.forgetInMemory(key)
                return nil
            }
            reader = BodyReader(chosen, first: first, key: key, in: caching.partition)
        } else if caching.needsBody || chosen.value == nil {
            guard let found = await caching.partition.body(of: chosen, key: key) else { return nil }
            body = found
        }
        chosen.answer = confirmed ?? chosen.answer
        chosen.body = nil
        var response = HTTPResponse(
            status: chosen.answer.status,
            headers: chosen.answer.servedHeaders(at: now, isValidated: confirmed != nil),
            body: body,
            url: request.url
        )
        response.reader = reader
        response.cached = CachedAnswer(
            partition: caching.partition,
            key: key,
            kept: chosen,
            origin: confirmed == nil ? chosen.origin : .revalidated
        )
        return response
    }

    /// Does with what is kept what an answer says, and makes the answer to hand on.
    func take(_ answer: ReceivedAnswer, _ response: HTTPResponse, to request: HTTPRequest) async -> Taken {
        let partition = caching.partition
        partition.removeAnswers(
            to: exchange.request.invalidatedKeys(by: answer).flatMap { caching.entryKeys($0, of: exchange.request) }
        )
        switch exchange.outcome(of: answer) {
        case .pass(let removed):
            partition.remove(removed.map { kept[$0] }, known: kept, key: key)
            return .response(response)
        case .store(let head, let replaced):
            guard let head = caching.keepable(head) else {
                partition.remove(replaced.map { kept[$0] }, known: kept, key: key)
                return .response(response)
            }
            // Something was changed since it was asked for: it may be what was so before.
            guard partition.invalidationCount == invalidations else { return .response(response) }
            try? await partition.store.waitForRoom()
            var response = response
            if let reader = response.reader {
                let intake = partition.intake(
                    of: head,
                    replacing: replaced.map { kept[$0] },
                    known: kept,
                    key: key,
                    tags: caching.tags
                )
                if let intake { response.reader = reader.kept(by: intake) }
                return .response(response)
            }
            let record = partition.keep(
                head,
                body: response.body,
                replacing: replaced.map { kept[$0] },
                known: kept,
                key: key,
                type: caching.model,
                tags: caching.tags
            )
            if let record {
                let kept = KeptAnswer(answer: head, record: record, origin: .memory)
                response.cached = CachedAnswer(partition: partition, key: key, kept: kept, origin: .network)
            }
            return .response(response)
        case .freshen(let place, let head, let updates, let removed):
            freshen(updates)
            let found = await self.response(of: place, to: request, at: answer.responseTime, confirmed: head)
            partition.remove(removed.map { kept[$0] }, known: kept, key: key)
            guard var found else { return .askAgain }
            found.report = response.report
            return .response(found)
        case .update(let updates, let removed):
            freshen(updates)
            partition.remove(removed.map { kept[$0] }, known: kept, key: key)
            return .response(response)
        case .fallBack(let place):
            let found = await self.response(of: place, to: request, at: answer.responseTime)
            return .response(found ?? response)
        case .fetchAgain: return .askAgain
        }
    }

    /// Puts new heads in the place of those of some answers; one that would hold a secret goes.
    private func freshen(_ updates: [Int: StoredAnswer]) {
        let heads = updates.mapValues { caching.keepable($0) }
        let fresh = heads.compactMap { place, head in head.map { (kept: kept[place], answer: $0) } }
        caching.partition.freshen(fresh, known: kept, key: key)
        let removed = heads.filter { $0.value == nil }.map { kept[$0.key] }
        caching.partition.remove(removed, known: kept, key: key)
    }
}
