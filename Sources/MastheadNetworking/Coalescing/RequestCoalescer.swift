import MastheadLock

/// Lets those who ask the same at the same time wait for one exchange.
///
/// Each of them waits by itself: it may be cancelled or run out of time alone. The exchange is cancelled with the last
/// one. Whoever asks after that, or after the exchange is over, starts another; nothing is kept.
package final class RequestCoalescer: Sendable {
    package typealias Outcome = Result<HTTPResponse, RepositoryError>

    /// One exchange, and those who wait for it.
    private struct Exchange {
        let id: Int
        let caller: Int
        let priority: RequestPriority
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Outcome, Never>]
    }

    private struct State {
        var exchanges: [RequestIdentity: [Exchange]] = [:]
        var nextID = 0

        mutating func makeID() -> Int {
            nextID += 1
            return nextID
        }

        /// Where the exchange of a request stands that fulfils a condition.
        func place(of identity: RequestIdentity, where condition: (Exchange) -> Bool) -> Int? {
            exchanges[identity]?.firstIndex(where: condition)
        }

        mutating func remove(_ place: Int, of identity: RequestIdentity) -> Exchange? {
            let exchange = exchanges[identity]?.remove(at: place)
            if exchanges[identity]?.isEmpty == true { exchanges[identity] = nil }
            return exchange
        }
    }

    /// What is to be done once the lock is open.
    private enum Entry {
        case starts(exchange: Int)
        case joins(caller: Int)
        case isCancelled
    }

    private let state = Lock(State())

    package init() {}

    /// How many exchanges are under way.
    package var count: Int { state.withLock { $0.exchanges.values.reduce(0) { $0 + $1.count } } }

    /// Waits for the exchange of a request: the one that is under way with at least its priority, or a new one.
    ///
    /// - Parameters:
    ///   - identity: The request.
    ///   - priority: How soon it is wanted: nobody waits behind those who are less in a hurry.
    ///   - deadline: When to wait no longer, on the clock; `nil` for never.
    ///   - time: The clock.
    ///   - caller: The number of the call.
    ///   - whenJoined: Is called if it waits for the exchange of another call, with its number.
    ///   - work: Makes the exchange; it runs in a task of its own.
    /// - Returns: What the exchange came to; ``RepositoryError/cancelled`` or ``RepositoryError/timeout(_:)`` if this one
    ///   waits no longer.
    package func outcome(
        of identity: RequestIdentity,
        priority: RequestPriority,
        by deadline: Duration?,
        on time: any TimeSource,
        caller: Int,
        whenJoined: (_ caller: Int) -> Void,
        work: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        let waiter = state.withLock { $0.makeID() }
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch enter(identity, waiter, continuation, priority, caller) {
                case .starts(let exchange): start(identity, exchange, work)
                case .joins(let caller): whenJoined(caller)
                case .isCancelled: continuation.resume(returning: .failure(.cancelled))
                }
                // Not before it is among those who wait: it would find nobody to wake.
                alarm = deadline.map { deadline in
                    Task {
                        try await time.sleep(until: deadline)
                        leave(identity, waiter, with: .timeout(.total))
                    }
                }
            }
        } onCancel: {
            leave(identity, waiter, with: .cancelled)
        }
    }

    private func enter(
        _ identity: RequestIdentity,
        _ waiter: Int,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ priority: RequestPriority,
        _ caller: Int
    ) -> Entry {
        state.withLock { state in
            // A cancellation that came before this point found nobody to wake; one that comes after it will.
            if Task.isCancelled { return .isCancelled }
            if let place = state.place(of: identity, where: { $0.priority >= priority }),
                let exchange = state.exchanges[identity]?[place]
            {
                state.exchanges[identity]?[place].waiters[waiter] = continuation
                return .joins(caller: exchange.caller)
            }
            let id = state.makeID()
            let exchange = Exchange(id: id, caller: caller, priority: priority, waiters: [waiter: continuation])
            state.exchanges[identity, default: []].append(exchange)
            return .starts(exchange: id)
        }
    }

    private func start(_ identity: RequestIdentity, _ exchange: Int, _ work: @escaping @Sendable () async -> Outcome) {
        let task = Task { finish(identity, exchange, with: await work()) }
        let isWanted = state.withLock { state in
            guard let place = state.place(of: identity, where: { $0.id == exchange }) else { return false }
            state.exchanges[identity]?[place].task = task
            return true
        }
        // It is over already, or its waiters have left before it had its task.
        if !isWanted { task.cancel() }
    }

    private func finish(_ identity: RequestIdentity, _ exchange: Int, with outcome: Outcome) {
        let waiters = state.withLock { state in
            let place = state.place(of: identity, where: { $0.id == exchange })
            let exchange = place.flatMap { state.remove($0, of: identity) }
            return exchange.map { Array($0.waiters.values) } ?? []
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// Takes one out that waits, and cancels the exchange if it was the last.
    private func leave(_ identity: RequestIdentity, _ waiter: Int, with error: RepositoryError) {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<Outcome, Never>?, Task<Void, Never>?) in
            guard let place = state.place(of: identity, where: { $0.waiters[waiter] != nil }) else {
                return (nil, nil)
            }
            let continuation = state.exchanges[identity]?[place].waiters.removeValue(forKey: waiter)
            guard state.exchanges[identity]?[place].waiters.isEmpty == true else { return (continuation, nil) }
            return (continuation, state.remove(place, of: identity)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(error))
    }
}
