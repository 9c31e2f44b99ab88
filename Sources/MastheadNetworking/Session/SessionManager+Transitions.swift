import FoundationEssentials
import MastheadLock

extension SessionManager {
    /// Takes up the session of the app's last run: the token from the store, and the user from the server.
    ///
    /// The store is read once; without a token there is no session. A server that cannot be reached leaves the user
    /// `nil` and the token alone: doing it again asks again. One that answers 401 ends the session. With a user already
    /// there, it does nothing. A login, an update or a logout that is made meanwhile wins.
    ///
    /// - Parameter fetcher: What asks for the user: a repository with this session.
    /// - Returns: What the session is like then.
    /// - Throws: ``SessionError/store(_:)`` if the store cannot be read; the state stays ``SessionState/unknown``, and doing
    ///   it again reads again. Also if the token that was refused cannot be removed; then the session has expired.
    @discardableResult
    public func bootstrap(_ fetcher: some CurrentUserFetcher<User>) async throws(SessionError) -> SessionState<User> {
        try await load()
        let number: Int? = ledger.withLock { $0.isLoggedIn && $0.user == nil ? $0.session : nil }
        guard let number else { return state }
        switch await fetcher.currentUser() {
        case .success(let user):
            change { ledger in
                // The app may know the user by now, and better than an answer that was asked for before.
                if ledger.isLoggedIn, ledger.session == number, ledger.user == nil { ledger.set(user) }
            }
        case .failure(let error) where error.status == 401:
            let write: Task<TokenStoreError?, Never>? = change { ledger in
                guard ledger.isLoggedIn, ledger.session == number else { return nil }
                ledger.end(as: .expired)
                return keeper.keep(nil, isAwaited: true)
            }
            try await finish(write)
        case .failure: break
        }
        return state
    }

    /// Begins a session.
    ///
    /// With a session of the same access token, the user is replaced, and the rest of the credentials if `credentials` has
    /// others: a user's ``AuthenticableUser/sessionToken`` alone says nothing of a refresh token or an expiry.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - credentials: What the server gave; `nil` takes the user's ``AuthenticableUser/sessionToken``.
    /// - Throws: ``SessionError/missingToken`` without a token; ``SessionError/alreadyLoggedIn`` with a session of another
    ///   token; ``SessionError/store(_:)`` if it has begun and was not kept.
    public func login(_ user: User, credentials: SessionCredentials? = nil) async throws(SessionError) {
        guard var new = credentials ?? user.sessionToken.map({ SessionCredentials(accessToken: $0) }),
            !new.accessToken.value.isEmpty
        else { throw .missingToken }
        new.partition = cache == nil ? nil : .random()
        let due = dueDate(of: new, isRenewed: false)
        let write: Task<TokenStoreError?, Never> = try change { (ledger) throws(SessionError) in
            guard let current = ledger.credentials else {
                ledger.begin(new, user: user, due: due)
                return keeper.keep(new, isAwaited: true)
            }
            guard current.accessToken == new.accessToken else { throw .alreadyLoggedIn }
            ledger.set(user)
            // The user's token is the one that there is: there is nothing new to put in the place of what goes with it.
            var kept = credentials ?? current
            kept.partition = current.partition
            if kept != current { ledger.renew(kept, due: due, at: time) }
            return keeper.keep(kept, isAwaited: true)
        }
        try await finish(write)
    }

    /// Replaces the user of the session, and its credentials if there are new ones.
    ///
    /// The user's own ``AuthenticableUser/sessionToken`` is not looked at: it may be older than the session's.
    ///
    /// - Parameters:
    ///   - user: The user as they are now.
    ///   - credentials: New credentials, such as after a change of password; `nil` keeps those that there are.
    /// - Throws: ``SessionError/notLoggedIn`` without a session; ``SessionError/missingToken`` for an empty token;
    ///   ``SessionError/store(_:)`` if the new credentials were not kept.
    public func update(_ user: User, credentials: SessionCredentials? = nil) async throws(SessionError) {
        guard credentials?.accessToken.value.isEmpty != true else { throw .missingToken }
        let write: Task<TokenStoreError?, Never>? = try change { (ledger) throws(SessionError) in
            guard let current = ledger.credentials else { throw .notLoggedIn }
            ledger.set(user)
            guard var credentials else { return nil }
            credentials.partition = current.partition
            guard credentials != current else { return nil }
            ledger.renew(credentials, due: dueDate(of: credentials, isRenewed: false), at: time)
            return keeper.keep(credentials, isAwaited: true)
        }
        try await finish(write)
    }

    /// Ends the session, and forgets its credentials.
    ///
    /// The calls that are under way end in ``RepositoryError/unauthenticatedSession(_:)``, whatever comes of them, and so
    /// does every later one. Without a session it empties the store all the same, so that doing it again makes up for a
    /// store that failed.
    ///
    /// - Throws: ``SessionError/store(_:)`` if the session is over and the store still has its credentials.
    public func logout() async throws(SessionError) {
        let write = change { ledger in
            ledger.end(as: .loggedOut)
            return keeper.keep(nil, isAwaited: true)
        }
        try await finish(write)
    }

    /// Ends the session because its token is of no more use, for an app that learns so by itself.
    ///
    /// Without a session it does nothing. What a server refuses to a repository needs no such call.
    ///
    /// - Throws: ``SessionError/store(_:)`` if the session is over and the store still has its credentials.
    public func expire() async throws(SessionError) {
        let write: Task<TokenStoreError?, Never>? = change { ledger in
            guard ledger.isLoggedIn else { return nil }
            ledger.end(as: .expired)
            return keeper.keep(nil, isAwaited: true)
        }
        try await finish(write)
    }

    /// Reads the store, unless something is known already.
    private func load() async throws(SessionError) {
        let loading: Task<Result<SessionCredentials?, TokenStoreError>, Never>? = ledger.withLock { ledger in
            guard case .unknown = ledger.state else { return nil }
            if let loading = ledger.loading { return loading }
            let loading = keeper.load()
            ledger.loading = loading
            return loading
        }
        guard let loading else { return }
        let outcome = await loading.value
        try change { (ledger) throws(SessionError) in
            // What was done meanwhile wins, and of several that waited the first does it.
            guard case .unknown = ledger.state else { return }
            ledger.loading = nil
            switch outcome {
            case .success(var credentials?) where !credentials.accessToken.value.isEmpty:
                if cache != nil, credentials.partition == nil {
                    // Kept before there was a cache.
                    credentials.partition = .random()
                    keeper.keep(credentials, isAwaited: false)
                }
                ledger.begin(credentials, user: nil, due: dueDate(of: credentials, isRenewed: false))
            case .success: ledger.end(as: .loggedOut)
            case .failure(let error): throw .store(error)
            }
        }
    }

    private func finish(_ write: Task<TokenStoreError?, Never>?) async throws(SessionError) {
        if let error = await write?.value { throw .store(error) }
    }
}
