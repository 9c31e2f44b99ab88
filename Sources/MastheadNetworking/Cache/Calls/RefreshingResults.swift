import MastheadLock

/// What is kept of an answer, and then what the server has now; see ``AbstractRepository/performRefreshing(_:)``.
///
/// ```swift
/// for await result in issues.performRefreshing(.get("issues/\(id)")) { … }
/// ```
///
/// It has one element or two. The server is asked while the first is looked at; letting go of the iterator, or cancelling
/// the task that reads, ends the asking.
public struct RefreshingResults<Value: Sendable>: AsyncSequence, Sendable {
    /// A value with its origin, or why the server gave none.
    public typealias Element = Result<CacheEntry<Value>, RepositoryError>

    /// It does not fail: what fails is an element.
    public typealias Failure = Never

    typealias Load = @Sendable () async -> Element

    private let look: Load
    private let ask: Load

    init(look: @escaping Load, ask: @escaping Load) {
        self.look = look
        self.ask = ask
    }

    /// Begins with what is kept.
    public func makeAsyncIterator() -> Iterator { Iterator(look: look, ask: ask) }

    /// Gives what is kept, then what the server has.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Step {
            case look
            case ask
            case end
        }

        private let look: Load
        private let ask: Load
        private let asking = Asking()
        private var step = Step.look

        fileprivate init(look: @escaping Load, ask: @escaping Load) {
            self.look = look
            self.ask = ask
        }

        /// The next value, or why there is none; `nil` after the server's.
        public mutating func next() async -> Element? {
            switch step {
            case .look:
                let kept = await look()
                switch kept {
                case .success(let entry) where entry.freshness == .fresh:
                    step = .end
                    return kept
                case .success:
                    step = .ask
                    asking.begin(ask)
                    return kept
                case .failure(.notCached):
                    step = .end
                    return await ask()
                case .failure:
                    // It would fail the same way.
                    step = .end
                    return kept
                }
            case .ask:
                step = .end
                return await asking.result()
            case .end: return nil
            }
        }

        /// The next value, or why there is none; `nil` after the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await next()
        }
    }

    /// The call to the server; it is cancelled when nobody waits for it any more.
    private final class Asking: Sendable {
        private let task = Lock<Task<Element, Never>?>(nil)

        deinit { task.withLock { $0 }?.cancel() }

        func begin(_ ask: @escaping Load) {
            task.withLock { $0 = Task { await ask() } }
        }

        func result() async -> Element? {
            guard let task = task.withLock({ $0 }) else { return nil }
            return await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}
