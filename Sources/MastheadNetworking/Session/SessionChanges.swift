import MastheadLock

/// A session's states, one after another; see ``SessionManager/changes``.
///
/// ```swift
/// for await state in session.changes {
///     if case .loggedIn(let reader) = state { show(reader) } else { showLogin() }
/// }
/// ```
///
/// It keeps no states: a reader is woken, and reads what is so then.
public struct SessionChanges<User: AuthenticableUser>: AsyncSequence, Sendable {
    /// The state.
    public typealias Element = SessionState<User>

    /// It does not fail.
    public typealias Failure = Never

    private let ledger: Lock<SessionLedger<User>>

    init(_ ledger: Lock<SessionLedger<User>>) {
        self.ledger = ledger
    }

    /// Begins with the state as it is.
    public func makeAsyncIterator() -> Iterator {
        // One wake is as good as many.
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        if let id = ledger.withLock({ $0.listen(continuation) }) {
            continuation.onTermination = { [weak ledger] _ in ledger?.withLock { $0.ignore(id) } }
        } else {
            continuation.finish()
        }
        return Iterator(ledger: ledger, wakes: wakes.makeAsyncIterator())
    }

    /// Reads state after state.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let ledger: Lock<SessionLedger<User>>
        fileprivate var wakes: AsyncStream<Void>.Iterator
        private var last: Int?

        fileprivate init(ledger: Lock<SessionLedger<User>>, wakes: AsyncStream<Void>.Iterator) {
            self.ledger = ledger
            self.wakes = wakes
        }

        /// The next state; `nil` when the manager is gone, or the task is cancelled.
        public mutating func next() async -> SessionState<User>? {
            await next(isolation: #isolation)
        }

        /// The next state; `nil` when the manager is gone, or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SessionState<User>? {
            repeat {
                let (version, state) = ledger.withLock { ($0.version, $0.state) }
                if version != last {
                    last = version
                    return state
                }
            } while await wakes.next(isolation: actor) != nil
            return nil
        }
    }
}
