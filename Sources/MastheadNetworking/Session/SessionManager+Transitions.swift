import FoundationEssentials
import MastheadLock

extension SessionManager {
    /// Takes up the session of the app's last run: the token from the store, and the user from the server.
    ///
    /// The store is read once; without a token there is no session. A server that cannot be reached leaves the user
    /// `nil` and the token alone: doing it again asks again. One that answers 401 ends the session. With a user already
    /// there, it does nothing. A login, an update or a logout that is made meanwhile wins: a 401 then says nothing of the
    /// credentials that came with it.
    ///
    /// - Parameter fetcher: What asks for the user: a repository with this session.
    /// - Returns: What the session is like then.
    /// - Throws: ``SessionError/store(_:)`` if the store cannot be read; the state stays ``SessionState/unknown``, and doing
    ///   it again reads again. Also if the token that was refused cannot be removed; then the session has expired.
    ///   ``SessionError/cancelled`` if the task is cancelled while the store has not answered, such as while a keyring asks
    ///   the user; doing it again reads again.
    @discardableResult
    public func bootstrap(_ fetcher: some CurrentUserFetcher<User>) async throws(SessionError) -> SessionState<User> {
        try await load()
        let start = ledger.withLock { $0.user == nil ? $0.moment : nil }
        guard let start else { return state }
        switch await fetcher.currentUser() {
        case .success(let user):
            change { ledger in
                // The app may know the user by now, and better than an answer that was asked for before.
                if ledger.isLoggedIn, ledger.session == start.session, ledger.user == nil { ledger.set(user) }
            }
        case .failure(let error) where error.status == 401:
            let write: TokenKeeper.Write? = change { ledger in
                guard ledger.refuses(error, since: start) else { return nil }
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
    ///   token; ``SessionError/store(_:)`` if it has begun and was not kept; ``SessionError/cancelled`` if it has begun and
    ///   the task does not wait for the store.
    public func login(_ user: User, credentials: SessionCredentials? = nil) async throws(SessionError) {
        guard var new = credentials ?? user.sessionToken.map({ SessionCredentials(accessToken: $0) }),
            !new.accessToken.value.isEmpty
        else { throw .missingToken }
        new.partition = .random()
        let due = dueDate(of: new, isRenewed: false)
        let write: TokenKeeper.Write = try change { (ledger) throws(SessionError) in
            guard let current = ledger.credentials else {
                ledger.begin(new, user: user, due: due)
                return keeper.keep(ledger.credentials, isAwaited: true)
            }
            guard current.accessToken == new.accessToken else { throw .alreadyLoggedIn }
            ledger.set(user)
            // The user's token is the one that there is: there is nothing new to put in the place of what goes with it.
            let kept = credentials ?? current
            if kept != current { ledger.renew(kept, due: due, at: time, isGiven: true) }
            return keeper.keep(ledger.credentials, isAwaited: true)
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
    ///   ``SessionError/store(_:)`` if the new credentials were not kept; ``SessionError/cancelled`` if they hold and the task
    ///   does not wait for the store.
    public func update(_ user: User, credentials: SessionCredentials? = nil) async throws(SessionError) {
        guard credentials?.accessToken.value.isEmpty != true else { throw .missingToken }
        let write: TokenKeeper.Write? = try change { (ledger) throws(SessionError) in
            guard let current = ledger.credentials else { throw .notLoggedIn }
            ledger.set(user)
            guard let credentials, credentials != current else { return nil }
            ledger.renew(
                credentials,
                due: dueDate(of: credentials, isRenewed: false),
                at: time,
                isGiven: true
            )
            return keeper.keep(ledger.credentials, isAwaited: true)
        }
        try await finish(write)
    }

    /// Ends the session, and forgets its credentials.
    ///
    /// The calls that are under way end in ``RepositoryError/unauthenticatedSession(_:)``, whatever comes of them, and so
    /// does every later one. Without a session it empties the store all the same, so that doing it again makes up for a
    /// store that failed.
    ///
    /// - Throws: ``SessionError/store(_:)`` if the session is over and the store still has its credentials;
    ///   ``SessionError/cancelled`` if it is over and the task does not wait for the store.
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
    /// - Throws: ``SessionError/store(_:)`` if the session is over and the store still has its credentials;
    ///   ``SessionError/cancelled`` if it is over and the task does not wait for the store.
    public func expire() async throws(SessionError) {
        let write: TokenKeeper.Write? = change { ledger in
            guard ledger.isLoggedIn else { return nil }
            ledger.end(as: .expired)
            return keeper.keep(nil, isAwaited: true)
        }
        try await finish(write)
    }

    /// Reads the store, unless something is known already.
    private func load() async throws(SessionError) {
        let loading: TokenKeeper.Load? = ledger.withLock { ledger in
            guard case .unknown = ledger.state else { return nil }
            // One that everybody has given up is none.
            if let loading = ledger.loading, loading.join() { return loading }
            let loading = keeper.load()
            ledger.loading = loading
            return loading
        }
        guard let loading else { return }
        guard let outcome = await loading.outcome() else { throw .cancelled }
        try change { (ledger) throws(SessionError) in
            if ledger.loading === loading { ledger.loading = nil }
            // What was done meanwhile wins, and of several that waited the first does it.
            guard case .unknown = ledger.state else { return }
            switch outcome {
            case .success(var credentials?) where !credentials.accessToken.value.isEmpty:
                if credentials.partition == nil {
                    // Kept by an earlier version, or by a store that keeps the tokens alone.
                    credentials.partition = .random()
                    if cache != nil { keeper.keep(credentials, isAwaited: false) }
                }
                ledger.begin(credentials, user: nil, due: dueDate(of: credentials, isRenewed: false))
            case .success: ledger.end(as: .loggedOut)
            case .failure(let error): throw .store(error)
            }
        }
    }

    private func finish(_ write: TokenKeeper.Write?) async throws(SessionError) {
        guard let write else { return }
        guard let outcome = await write.outcome() else { throw .cancelled }
        if let error = outcome { throw .store(error) }
    }
}
