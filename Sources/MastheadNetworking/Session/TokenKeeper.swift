import MastheadLock

/// Lets a store do one thing at a time, in the order in which it was told to.
final class TokenKeeper: Sendable {
    /// What is read.
    typealias Load = StoreWork<Result<SessionCredentials?, TokenStoreError>>
    /// What is written, and the error if that failed.
    typealias Write = StoreWork<TokenStoreError?>

    private let store: any TokenStore
    private let onFailure: (@Sendable (TokenStoreError) -> Void)?
    /// Waits until what was asked for last is over.
    private let last = Lock<(@Sendable () async -> Void)?>(nil)

    /// Makes a keeper.
    ///
    /// - Parameters:
    ///   - store: What keeps the credentials.
    ///   - onFailure: Is told of what failed while nobody waited for it.
    init(_ store: any TokenStore, onFailure: (@Sendable (TokenStoreError) -> Void)?) {
        self.store = store
        self.onFailure = onFailure
    }

    /// Reads what there is, for one who waits for it.
    func load() -> Load {
        enqueue(isRead: true, audience: 1) { [store] work in
            // Nobody may want to know any more.
            guard !Task.isCancelled else { return }
            do throws(TokenStoreError) {
                _ = work.end(with: .success(try await store.load()))
            } catch {
                _ = work.end(with: .failure(error))
            }
        }
    }

    /// Keeps credentials, or forgets them.
    ///
    /// - Parameters:
    ///   - credentials: What to keep; `nil` for nothing.
    ///   - isAwaited: Whether somebody is going to look at the outcome.
    /// - Returns: What will have come of it.
    @discardableResult
    func keep(_ credentials: SessionCredentials?, isAwaited: Bool) -> Write {
        enqueue(isRead: false, audience: isAwaited ? 1 : 0) { [store, onFailure] work in
            do throws(TokenStoreError) {
                if let credentials { try await store.save(credentials) } else { try await store.remove() }
                _ = work.end(with: nil)
            } catch {
                if !work.end(with: error) { onFailure?(error) }
            }
        }
    }

    private func enqueue<Outcome: Sendable>(
        isRead: Bool,
        audience: Int,
        _ body: @escaping @Sendable (StoreWork<Outcome>) async -> Void
    ) -> StoreWork<Outcome> {
        last.withLock { last in
            let before = last
            // What is under way goes on though its caller is cancelled: half a logout would be none.
            let work = StoreWork<Outcome>(isRead: isRead, audience: audience) { work in
                Task {
                    await before?()
                    await body(work)
                }
            }
            last = { await work.isOver() }
            return work
        }
    }
}
