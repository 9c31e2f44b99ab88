import MastheadLock

/// Lets a store do one thing at a time, in the order in which it was told to.
final class TokenKeeper: Sendable {
    private let store: any TokenStore
    private let onFailure: (@Sendable (TokenStoreError) -> Void)?
    private let last = Lock<Task<Void, Never>?>(nil)

    /// Makes a keeper.
    ///
    /// - Parameters:
    ///   - store: What keeps the credentials.
    ///   - onFailure: Is told of what failed while nobody waited for it.
    init(_ store: any TokenStore, onFailure: (@Sendable (TokenStoreError) -> Void)?) {
        self.store = store
        self.onFailure = onFailure
    }

    /// Reads what there is.
    func load() -> Task<Result<SessionCredentials?, TokenStoreError>, Never> {
        enqueue { store in
            do throws(TokenStoreError) {
                return .success(try await store.load())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Keeps credentials, or forgets them.
    ///
    /// - Parameters:
    ///   - credentials: What to keep; `nil` for nothing.
    ///   - isAwaited: Whether somebody will look at the outcome.
    /// - Returns: What will have come of it: the error, if it failed.
    @discardableResult
    func keep(_ credentials: SessionCredentials?, isAwaited: Bool) -> Task<TokenStoreError?, Never> {
        let onFailure = isAwaited ? nil : onFailure
        return enqueue { store in
            do throws(TokenStoreError) {
                if let credentials { try await store.save(credentials) } else { try await store.remove() }
                return nil
            } catch {
                onFailure?(error)
                return error
            }
        }
    }

    private func enqueue<Outcome: Sendable>(
        _ work: @escaping @Sendable (any TokenStore) async -> Outcome
    ) -> Task<Outcome, Never> {
        last.withLock { last in
            // What is under way goes on though its caller is cancelled: half a logout would be none.
            let task = Task { [store, before = last] in
                await before?.value
                return await work(store)
            }
            last = Task { _ = await task.value }
            return task
        }
    }
}
