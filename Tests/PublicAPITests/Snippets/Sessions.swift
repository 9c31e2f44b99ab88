import MastheadNetworking
import MastheadPublishing

nonisolated struct Reader: AuthenticableUser, Decodable {
    let name: String
    let token: String?
    var sessionToken: Secret? { token.map { Secret($0) } }
}

nonisolated final class ReaderRepository: AbstractRepository, CurrentUserFetcher, @unchecked Sendable {
    func currentUser() async -> Result<Reader, RepositoryError> {
        await perform(.get("me"))
    }

    func logIn(_ name: String, _ password: Secret) async -> Result<Reader, RepositoryError> {
        let body = RequestBody.form(["name": .string(name), "password": .string(password.value)])
        return await perform(.post("login", body: body).withoutSession())
    }
}

nonisolated private enum LoginError: String, CustomRepositoryError { case wrongPassword }

nonisolated private func show(_ volumes: VolumeRepository, for reader: Reader?) {}
nonisolated private func show(_ reader: Reader?) {}
nonisolated private func showLogin() {}

nonisolated private func session(_ store: any TokenStore) async throws {
    // snippet
    let session = SessionManager<Reader>(
        store: store,
        refresher: OAuth2Refresher(configuration: .production, path: "oauth/token", clientID: "masthead-app")
    )
    let readers = ReaderRepository(configuration: .production, session: session)
    let volumes = VolumeRepository(configuration: .production, session: session)

    switch try await session.bootstrap(readers) {
    case .loggedIn(let reader): show(volumes, for: reader)  // `nil` while offline
    case .loggedOut, .expired: showLogin()
    case .unknown: break
    }
    // end

    // snippet
    for await state in session.changes {
        if case .loggedIn(let reader) = state { show(reader) } else { showLogin() }
    }
    // end
}

nonisolated private final class LoginRepository: AbstractRepository, @unchecked Sendable {
    // snippet
    func logIn(_ name: String, _ password: Secret) async -> Result<Reader, RepositoryError> {
        let body = RequestBody.form(["name": .string(name), "password": .string(password.value)])
        return await perform(.post("login", body: body).withoutSession())
            .mapCustomError([401: LoginError.wrongPassword])
    }
    // end
}

nonisolated private func patientSession(_ store: any TokenStore, _ refresher: OAuth2Refresher) {
    // snippet
    let session = SessionManager<Reader>(store: store, refresher: refresher, failedRenewal: .keepsSession)
    // end
    _ = session
}
