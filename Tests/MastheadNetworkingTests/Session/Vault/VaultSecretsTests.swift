import Foundation
import MastheadNetworking
import MastheadTransport
import Testing

/// Plants a secret in every place of a token store, of a signer and of a client's identity, lets them succeed and fail, and
/// looks for each secret in all that could show it: lines, errors, events, dumps, and every file.
@Suite("Secrets of a store and a signer", .timeLimit(.minutes(1)))
struct VaultSecretsTests {
    private enum Place: String, CaseIterable {
        case access, refresh, passphrase, wrongPassphrase, keyFile, signerKey, identityPassphrase, proxyPassword

        var secret: String { "plant" + rawValue.lowercased() + "x" }
    }

    private let sinks = SecretSinks()
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func expectNothing() {
        for place in Place.allCases {
            for name in sinks.names(showing: place.secret) { Issue.record("\(name) shows \(place)") }
            for name in folder.names {
                let content = folder.content(name) ?? Data()
                for form in SecretSinks.forms(of: place.secret) where content.firstRange(of: Data(form.utf8)) != nil {
                    Issue.record("the file \(name) holds \(place)")
                }
            }
        }
    }

    @Test("are in no file, and in nothing that a store says, whatever it fails of")
    func stores() async throws {
        let path = folder.path("stored")
        let credentials = SessionCredentials(
            accessToken: Secret(Place.access.secret),
            refreshToken: Secret(Place.refresh.secret)
        )
        let key = TokenFileKey.passphrase(Secret(Place.passphrase.secret), cost: .low)
        let store = EncryptedFileTokenStore(path: path, key: key)
        try await store.save(credentials)
        try await store.rotate(to: .file(folder.path("stored.key")))
        try await store.rotate(to: key)
        sinks.add(credentials)
        sinks.add(try await store.load() as Any)
        _ = try folder.file("loose.key", key: Place.keyFile.secret, mode: 0o644)
        _ = try folder.file("wrong.key", key: Place.keyFile.secret)
        _ = try folder.file("cut", Data((folder.content("stored") ?? Data()).dropLast()))
        let stores: [(path: String, key: TokenFileKey)] = [
            ("stored", .passphrase(Secret(Place.wrongPassphrase.secret), cost: .low)),
            ("stored", .file(folder.path("loose.key"))),
            ("cut", key), ("new", .file(folder.path("loose.key"))), ("new", .file(folder.path("wrong.key"))),
            ("no/folder", key),
        ]
        for (index, stored) in stores.enumerated() {
            let other = EncryptedFileTokenStore(path: folder.path(stored.path), key: stored.key)
            sinks.add(stored.key)
            do throws(TokenStoreError) {
                try await other.save(credentials)
                Issue.record("store \(index) took them")
            } catch {
                sinks.add(error)
            }
            sinks.add(other)
        }
        // These two were planted there.
        unlink(folder.path("loose.key"))
        unlink(folder.path("wrong.key"))
        expectNothing()
        #expect(folder.names.contains("stored") && folder.names.contains("stored.key"))
        #expect(sinks.texts.count { $0.name == "TokenStoreError" } == stores.count)
    }

    @Test(
        "of a signer, a proxy and an identity reach no sink",
        arguments: [RequestLogger.Level.errors, .requests, .bodies]
    )
    func signers(level: RequestLogger.Level) async throws {
        let sinks = sinks
        let key = Secret(Place.signerKey.secret)
        let signers = [
            HMACSHA256Signer(keyID: "reader-1", key: key), HMACSHA256Signer(keyID: "", key: key),
            HMACSHA256Signer(keyID: "reader-1", key: Secret(key.value + "!"), encoding: .base64),
        ]
        for (index, signer) in signers.enumerated() {
            for status in [200, 403, 503] {
                let configuration = NetworkingConfiguration.test {
                    $0.signer = signer
                    $0.logger = RequestLogger(level: level) { sinks.add("logger", $0) }
                    $0.observer = sinks
                    $0.route = .proxy(
                        ProxyServer(
                            .http,
                            host: "proxy.example",
                            user: "a",
                            password: Secret(Place.proxyPassword.secret)
                        )
                    )
                }
                let executor = ClosureExecutor(answers: [.answer(status)])
                let repository = AbstractRepository(configuration: configuration, executor: executor)
                let result = await repository.perform(Request<Void>.post("a", body: .text("b")))
                #expect((result.failure == nil) == (index == 0 && status == 200))
                if let error = result.failure { sinks.add(error) }
                for request in executor.requests {
                    sinks.add(request)
                    sinks.add("cURL", request.curlCommand(for: configuration))
                    // What was signed may be sent again for some minutes: the signature is a secret too.
                    let signature = try #require(request.headers["Signature"])
                    #expect(sinks.names(showing: signature).isEmpty)
                }
                for value in [configuration, repository, signer] as [Any] { sinks.add(value) }
            }
        }
        let identity = TLSClientIdentity(.pkcs12([]), passphrase: Place.identityPassphrase.secret)
        var tls = MastheadTransport.TLSSettings()
        tls.clientIdentity = identity
        sinks.add(identity)
        sinks.add(tls)
        expectNothing()
        #expect(Set(sinks.texts.map(\.name)).isSuperset(of: ["logger", "NetworkEvent", "RepositoryError", "cURL"]))
    }
}
