/// What is in an outbox, each time it changes; see ``Outbox/states``.
///
/// ```swift
/// for try await state in outbox.states { badge.show(waiting: state.pending + state.sending, parked: state.parked) }
/// ```
///
/// It keeps no states: a reader is woken, and reads what is so then. It ends with the outbox, and with its task.
public struct OutboxStates: AsyncSequence, Sendable {
    /// The state.
    public typealias Element = OutboxState

    /// It fails if the outbox's file cannot be read.
    public typealias Failure = RepositoryError

    private let outbox: Weak

    /// Keeps no outbox alive.
    fileprivate struct Weak: Sendable {
        weak let outbox: Outbox?

        /// The state; `nil` when the outbox is closed or gone.
        func state() async throws(RepositoryError) -> OutboxState? {
            guard let outbox else { return nil }
            return try await outbox.currentState()
        }
    }

    init(_ outbox: Outbox) {
        self.outbox = Weak(outbox: outbox)
    }

    /// Begins with the state as it is.
    public func makeAsyncIterator() -> Iterator {
        Iterator(outbox: outbox, wakes: outbox.outbox?.bell.wakes().makeAsyncIterator())
    }

    /// Reads state after state.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let outbox: Weak
        fileprivate var wakes: AsyncStream<Void>.Iterator?
        private var last: OutboxState?

        fileprivate init(outbox: Weak, wakes: AsyncStream<Void>.Iterator?) {
            self.outbox = outbox
            self.wakes = wakes
        }

        /// The next state; `nil` when the outbox is closed or gone, or the task is cancelled.
        public mutating func next() async throws(RepositoryError) -> OutboxState? {
            try await next(isolation: #isolation)
        }

        /// The next state; `nil` when the outbox is closed or gone, or the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RepositoryError) -> OutboxState? {
            while !Task.isCancelled, let state = try await outbox.state() {
                if state != last {
                    last = state
                    return state
                }
                guard await wakes?.next(isolation: actor) != nil else { break }
            }
            wakes = nil
            return nil
        }
    }
}
