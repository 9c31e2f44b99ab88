import Foundation
import MastheadNetworking

private func askForPassphrase() {}
private func report(_ text: String) {}

private func tokens() -> EncryptedFileTokenStore {
    // snippet
    let store = EncryptedFileTokenStore(
        path: "/var/lib/reader/session.tokens",
        key: .file("/etc/reader/session.key")
    )
    // end
    return store
}

private func start(_ store: EncryptedFileTokenStore) async -> SessionCredentials? {
    var credentials: SessionCredentials?
    // snippet
    do {
        credentials = try await store.load()
    } catch .wrongKey {
        askForPassphrase()
    } catch .noSecretService {
        askForPassphrase()
    } catch {
        report("\(error)")
    }
    // end
    return credentials
}

private func rotate(_ store: EncryptedFileTokenStore) async throws {
    // snippet
    try await store.rotate(to: .file("/etc/reader/session-2.key"))
    // end
}
