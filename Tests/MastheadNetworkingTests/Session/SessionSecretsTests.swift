import Foundation
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Plants a secret in every place of a session, has it renewed and refused, and looks for each secret in all that could show
/// it: lines, errors, events, dumps, and every file.
@Suite("Secrets of a session", .timeLimit(.minutes(1)))
struct SessionSecretsTests {
    private enum Place: String, CaseIterable {
        case access, refresh, renewedAccess, renewedRefresh, clientSecret, passphrase, signerKey
        case userToken, oauthDescription, oauthBody, refusalBody, proxyPassword

        var secret: String { "plant" + rawValue.lowercased() + "x" }
    }

    /// What a token endpoint may answer.
    private static let refusals: [HTTPResponse] = [
        .answer(
            200,
            ["Content-Type": "application/json"],
            body: "{\"access_token\": [\"\(Place.oauthBody.secret)\"]}"
        ),
        .answer(
            400,
            ["Content-Type": "application/json"],
            body:
                #"{"error": "invalid_client", "error_description": "\#(Place.oauthDescription.secret)"}"#
        ),
        .answer(
            500,
            ["Set-Cookie": "a=\(Place.oauthBody.secret)"],
            body: "<html>\(Place.oauthBody.secret)"
        ),
        .answer(200, body: ""),
        .answer(
            400,
            ["Content-Type": "application/json"],
            body: #"{"error": "invalid_grant", "error_description": "\#(Place.oauthDescription.secret)"}"#
        ),
    ]

    private static let renewed = HTTPResponse.answer(
        200,
        ["Content-Type": "application/json"],
        body: """
            {"access_token": "\(Place.renewedAccess.secret)", "refresh_token": "\(Place.renewedRefresh.secret)", \
            "expires_in": 3600}
            """
    )

    private let sinks = SecretSinks()
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func configuration(_ level: RequestLogger.Level) -> NetworkingConfiguration {
        .test {
            $0.logger = RequestLogger(level: level) { [sinks] in sinks.add("logger", $0) }
            $0.observer = sinks
            $0.onDecodingFailure = { [sinks] in sinks.add($0) }
            $0.signer = HMACSHA256Signer(keyID: "reader-1", key: Secret(Place.signerKey.secret))
            $0.route = .proxy(
                ProxyServer(
                    .http,
                    host: "proxy.example.com",
                    user: "reader",
                    password: Secret(Place.proxyPassword.secret)
                )
            )
        }
    }

    /// A server that takes the renewed token alone, and refuses with a body that holds a secret.
    private func server(_ answers: [HTTPResponse]) -> ClosureExecutor {
        let next = Lock(answers)
        return ClosureExecutor { (request) throws(RepositoryError) in
            if request.url.path().hasSuffix("/token") {
                return next.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            }
            guard request.headers["Authorization"] == "Bearer \(Place.renewedAccess.secret)" else {
                return .answer(401, ["WWW-Authenticate": "Bearer"], body: "no: \(Place.refusalBody.secret)")
            }
            return .answer(200, ["Content-Type": "application/json"], body: #"{"name": "a"}"#)
        }
    }

    @Test(
        "reach no sink, whatever the server answers",
        arguments: [RequestLogger.Level.errors, .requests, .bodies]
    )
    func reachNoSink(level: RequestLogger.Level) async throws {
        let outcomes = [Self.renewed] + Self.refusals
        for (index, answer) in outcomes.enumerated() {
            let store = EncryptedFileTokenStore(
                path: folder.path("tokens\(index)"),
                key: .passphrase(Secret(Place.passphrase.secret), cost: .low)
            )
            try await store.save(
                SessionCredentials(
                    accessToken: Secret(Place.access.secret),
                    refreshToken: Secret(Place.refresh.secret)
                )
            )
            let executor = server([answer])
            let refresher = OAuth2Refresher(
                configuration: configuration(level),
                path: "token",
                clientID: "reader",
                clientSecret: Secret(Place.clientSecret.secret),
                executor: executor
            )
            let session = SessionManager<Reader>(
                store: store,
                refresher: refresher,
                onStoreFailure: { [sinks] in sinks.add($0) }
            )
            let readers = ReaderRepository(
                configuration: configuration(level),
                session: session,
                executor: executor
            )
            sinks.add(try await session.bootstrap(readers))
            for _ in 0..<2 {
                let result = await readers.text()
                if let error = result.failure { sinks.add(error) }
                #expect((result.failure == nil) == (index == 0))
            }
            for value in [session, store, refresher, readers, session.state] as [Any] { sinks.add(value) }
            sinks.add(session.credentials as Any)
            sinks.add(session.sessionToken as Any)
            sinks.add(session.grant as Any)
            sinks.add(session.changes)
            for request in executor.requests {
                sinks.add(request)
                sinks.add("cURL", request.curlCommand(for: readers.configuration))
            }
            try? await session.expire()
            let credentials = SessionCredentials(accessToken: Secret(Place.userToken.secret))
            try await session.login(Reader(name: "a"), credentials: credentials)
            sinks.add(session)
            if let error = await sessionError({ () throws(SessionError) in
                try await session.login(Reader(name: "b"), credentials: SessionCredentials(accessToken: "another"))
            }) {
                sinks.add(error)
            }
        }
        try expectNothing()
        let shown = Set(sinks.texts.map(\.name))
        for name in ["logger", "NetworkEvent", "RepositoryError", "SessionError", "cURL"] {
            #expect(shown.contains(name), "nothing was looked for in \(name)")
        }
    }

    /// Looks for every secret in every text and every file.
    private func expectNothing() throws {
        for place in Place.allCases {
            for name in sinks.names(showing: place.secret) { Issue.record("\(name) shows \(place)") }
            for name in folder.names {
                let content = folder.content(name) ?? Data()
                for form in SecretSinks.forms(of: place.secret)
                where content.firstRange(of: Data(form.utf8)) != nil {
                    Issue.record("the file \(name) holds \(place)")
                }
            }
        }
        #expect(folder.names.contains("tokens0"))
    }
}
