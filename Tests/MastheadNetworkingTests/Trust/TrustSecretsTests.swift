import Foundation
import MastheadCrypto
import MastheadLock
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Plants a secret in every place of a pinned call and in a client's identity, has the pins not match and the identity not
/// open, and looks for each secret in all that could show it: reports, events, lines, errors, dumps, and every file.
@Suite("Secrets of pins and of a client's identity", .timeLimit(.minutes(1)))
struct TrustSecretsTests {
    private enum Place: String, CaseIterable {
        case authorization, cookie, clientKey, ownHeader, sessionToken, queryToken, pathMail, jsonBody, repositoryHeader
        case passphrase, wrongPassphrase, signerKey

        var secret: String { "plant" + rawValue.lowercased() + "x" }
    }

    private let sinks = SecretSinks()
    private let folder: TestFolder
    private let clock = ManualClock()
    private let root: CertificateAuthority
    private let clients: CertificateAuthority

    init() throws {
        folder = try TestFolder()
        root = try CertificateAuthority(name: "Root")
        clients = try CertificateAuthority(name: "Clients")
    }

    private func site(
        asksClients: Bool = true,
        respond: @escaping @Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer = { _ in .text("fine") }
    ) throws -> PinnedSite {
        try PinnedSite(
            root.issue(names: ["localhost", "a.test", "reports.test"]),
            trusting: [root.certificate],
            { if asksClients { $0.clientAuthorities = [clients.certificate] } },
            respond: respond
        )
    }

    /// An identity of files, the key encrypted.
    private func identity(_ passphrase: Place, pkcs12: Bool = false) throws -> ClientIdentity {
        let ada = try clients.issue(client: "Ada")
        if pkcs12 {
            let file = try folder.file("id.p12", Data(ada.pkcs12(passphrase: Place.passphrase.secret)))
            return .pkcs12(file: file, passphrase: Secret(passphrase.secret))
        }
        return .pem(
            certificateFile: try folder.file("id.pem", Data(ada.certificate.pem().utf8)),
            keyFile: try folder.file("id.key", Data(ada.key.pem(passphrase: Place.passphrase.secret).utf8)),
            passphrase: Secret(passphrase.secret)
        )
    }

    private func show(in configuration: inout NetworkingConfiguration) {
        configuration.logger = RequestLogger(level: .bodies) { [sinks] in sinks.add("logger", $0) }
        configuration.observer = sinks
        configuration.onDecodingFailure = { [sinks] in sinks.add($0) }
    }

    private func expectNothing() throws {
        for place in Place.allCases {
            for name in sinks.names(showing: place.secret) { Issue.record("\(name) shows \(place)") }
        }
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path(""))) {
            let content = folder.content(name) ?? Data()
            for place in Place.allCases {
                #expect(!name.contains(place.secret))
                for form in SecretSinks.forms(of: place.secret) where content.firstRange(of: Data(form.utf8)) != nil {
                    Issue.record("the file \(name) holds \(place)")
                }
            }
        }
    }

    @Test("of a call are in no report of pins that did not match, on the way or on the disk", arguments: [true, false])
    func pinReports(isEnforced: Bool) async throws {
        let sinks = sinks
        let reports = try site(asksClients: false) { request in
            let fields = request.headers.fields.map { "\($0.name): \($0.value)" }
            sinks.add("report", fields.joined(separator: "\n") + "\n" + String(decoding: request.body, as: UTF8.self))
            return .reset
        }
        let site = try site()
        let pin = try Pin.ofNobody
        let identity = try identity(.passphrase)
        let configuration = site.configuration("a.test") {
            show(in: &$0)
            $0.time = clock
            $0.route.addresses["reports.test"] = "127.0.0.1:\(reports.port)"
            $0.pinning = .of(nil, [pin]) { $0.isEnforced = isEnforced }
            $0.pinning?.stateFolder = folder.path("state")
            $0.pinning?.reportURI = "https://reports.test/pins"
            $0.pinning?.onEvent = { sinks.add($0) }
            $0.tls.clientIdentity = identity
            $0.clientKey = Secret(Place.clientKey.secret)
            $0.secretHeaders.insert("X-Own")
            $0.defaultHeaders = ["X-Client": "key \(Place.clientKey.secret)"]
            $0.signer = HMACSHA256Signer(keyID: "k", key: Secret(Place.signerKey.secret))
        }
        let session = SessionManager<Reader>(store: InMemoryTokenStore())
        try await session.login(Reader(name: "Ada", token: Place.sessionToken.secret))
        let repository = AbstractRepository(
            configuration: configuration,
            session: session,
            defaultHeaders: ["X-Secret": Place.repositoryHeader.secret]
        )
        for authorization in [nil, "Basic \(Place.authorization.secret)"] {
            var headers: HTTPHeaders = ["Cookie": "sid=\(Place.cookie.secret)", "X-Own": Place.ownHeader.secret]
            headers["Authorization"] = authorization
            let result = await repository.performRaw(
                .put(
                    "users/\(Place.pathMail.secret + "@example.com")",
                    query: ["access_token": .string(Place.queryToken.secret)],
                    headers: headers,
                    body: .json(["password": .string(Place.jsonBody.secret)] as JSONValue)
                )
            )
            #expect(result.failure?.label == (isEnforced ? "pinMismatch" : nil))
            if let error = result.failure { sinks.add(error) }
            if case .pinMismatch(let mismatch)? = result.failure { sinks.add(mismatch) }
        }
        // The report was sent, and waits to be sent again.
        try await clock.sleepers(count: 1)
        for value in [configuration, configuration.pinning as Any, repository] as [Any] { sinks.add(value) }

        try expectNothing()
        let shown = Set(sinks.texts.map(\.name))
        for name in ["report", "logger", "NetworkEvent", "PinningEvent"] {
            #expect(shown.contains(name), "nothing was looked for in \(name)")
        }
        let waiting = try FileManager.default.contentsOfDirectory(atPath: folder.path("state/pin-reports"))
        #expect(waiting.contains { $0.hasSuffix(".json") })
        #expect(sinks.joined["report"]?.contains("\"hostname\":\"a.test\"") == true)
        #expect(site.requests.count == (isEnforced ? 0 : 2))
    }

    @Test("which open a client's identity reach no sink, whether or not they do", arguments: [false, true])
    func identities(pkcs12: Bool) async throws {
        let site = try site()
        for place in [Place.passphrase, .wrongPassphrase] {
            let identity = try identity(place, pkcs12: pkcs12)
            let configuration = site.configuration(nil) {
                show(in: &$0)
                $0.tls.clientIdentity = identity
            }
            let repository = AbstractRepository(configuration: configuration)
            let result = await repository.performRaw(.get("a"))
            #expect((result.failure == nil) == (place == .passphrase))
            if let error = result.failure { sinks.add(error) }
            do throws(RepositoryError) {
                try configuration.validate()
            } catch {
                sinks.add(error)
            }
            for value in [identity, configuration.tls, configuration, repository] as [Any] { sinks.add(value) }
        }
        try expectNothing()
        let shown = Set(sinks.texts.map(\.name))
        for name in ["logger", "NetworkEvent", "RepositoryError", "ClientIdentity", "TLSSettings"] {
            #expect(shown.contains(name), "nothing was looked for in \(name)")
        }
        #expect(site.tls.passages.contains { $0.clientName == "Ada" })
    }
}
