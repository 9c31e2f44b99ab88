import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A request to a pinned server", .timeLimit(.minutes(1)))
struct PinnedRequestTests {
    private let folder: TestFolder
    private let clock = ManualClock(date: Date())

    init() throws {
        folder = try TestFolder()
    }

    private func pins(of server: ScriptedServer) async throws -> [String] {
        try await ServerCertificates(
            of: "127.0.0.1:\(server.port)",
            certificateAuthorityFile: server.certificateAuthorityFile
        ).certificates.map(\.publicKeyPin)
    }

    private func call(_ configuration: NetworkingConfiguration) async -> Result<Void, RepositoryError> {
        await AbstractRepository(configuration: configuration).perform(Request<Void>.get("volumes"))
    }

    /// A file that vouches for several servers.
    private func authorities(_ servers: ScriptedServer...) throws -> String {
        let texts = try servers.map { server in
            try Data(contentsOf: URL(filePath: try #require(server.certificateAuthorityFile)))
        }
        return try folder.file("authorities.pem", texts.reduce(Data(), +))
    }

    @Test("is sent to the right one, and a mismatch shows both sides in lines that pin the server when pasted")
    func mismatch() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { _ in .json("{}") }
        defer { server.stop() }
        let right = try await pins(of: server)
        #expect(await call(server.configuration { $0.pinning = .publicKeys(right) }).failure == nil)

        let failure = await call(server.configuration { $0.pinning = .publicKeys(SomePins.two) }).failure
        guard case .pinMismatch(let mismatch)? = failure else {
            Issue.record("got \(String(describing: failure))")
            return
        }
        #expect(server.requests.count == 1)
        #expect(mismatch.reason == .mismatch && mismatch.host == "127.0.0.1" && mismatch.port == server.port)
        #expect(Set(mismatch.expected) == Set(SomePins.two))
        let lines = "\(mismatch)".split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        let pasted = lines.filter { $0.hasPrefix("sha256/") }.map { String($0.prefix { $0 != " " }) }
        #expect(Set(pasted) == Set(SomePins.two + right))
        let built = Array(pasted.suffix(right.count))
        #expect(await call(server.configuration { $0.pinning = .publicKeys(built) }).failure == nil)
    }

    @Test("is judged by the app's own certificates")
    func appCertificates() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { _ in .json("{}") }
        defer { server.stop() }
        let other = try ScriptedServer(tls: .selfSigned) { _ in .json("{}") }
        defer { other.stop() }
        let bundle = "App_Reader.resources"
        try FileManager.default.createDirectory(atPath: folder.path(bundle), withIntermediateDirectories: true)
        let pem = try Data(contentsOf: URL(filePath: try #require(server.certificateAuthorityFile)))
        _ = try folder.file("\(bundle)/authority.pem", pem)
        let change: (inout NetworkingConfiguration) -> Void = {
            $0.pinning = .appCertificates()
            $0.pinning?.allowsSinglePin = true
            $0.appResources = AppResources(executable: folder.path("Reader"))
        }

        #expect(await call(server.configuration(change)).failure == nil)
        #expect(await call(other.configuration(change)).failure?.label == "pinMismatch")
        #expect(other.requests.isEmpty)
    }

    @Test("is judged by new pins on a connection that is open already, and by the old ones when they are back")
    func replaced() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { _ in .json("{}") }
        defer { server.stop() }
        let right = try await pins(of: server)
        let pins = ReplaceablePinning(.publicKeys(right))
        let repository = AbstractRepository(configuration: server.configuration { $0.replaceablePinning = pins })

        #expect(await repository.perform(Request<Void>.get("a")).failure == nil)
        try pins.replace(with: .publicKeys(SomePins.two))
        #expect(await repository.perform(Request<Void>.get("b")).failure?.label == "pinMismatch")
        try pins.replace(with: .publicKeys(right))
        #expect(await repository.perform(Request<Void>.get("c")).failure == nil)

        #expect(server.requests.map(\.target) == ["/a", "/c"])
    }

    @Test("does not leave TLS for a redirect, and goes to no unpinned host where that is not allowed")
    func redirects() async throws {
        let plain = try ScriptedServer { _ in .json("{}") }
        defer { plain.stop() }
        let server = try ScriptedServer(tls: .selfSigned) { [port = plain.port] request in
            let host = request.target.hasSuffix("pinned") ? "127.0.0.1" : "localhost"
            return .status(302, headers: ["Location": "http://\(host):\(port)/x"])
        }
        defer { server.stop() }
        let right = try await pins(of: server)
        var configuration = server.configuration {
            $0.pinning = .publicKeys(right)
            $0.allowsInsecureRedirects = true
        }
        let open = AbstractRepository(configuration: configuration)
        configuration.pinning?.allowsUnpinnedHosts = false
        let closed = AbstractRepository(configuration: configuration)

        #expect(await open.perform(Request<Void>.get("pinned")).failure?.label == "tls")
        #expect(await closed.perform(Request<Void>.get("other")).failure?.label == "tls")
        #expect(plain.requests.isEmpty)
        #expect(await open.perform(Request<Void>.get("other")).failure == nil)
        #expect(plain.requests.count == 1)
    }

    // Rows 41 to 43 of the cases.

    @Test("is sent to a wrong server that is only watched, and one report tells of it in 24 hours")
    func reportOnly() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { _ in .status(200, headers: ["Connection": "close"]) }
        defer { server.stop() }
        let collector = try ScriptedServer(tls: .selfSigned) { _ in .status(204) }
        defer { collector.stop() }
        let events = Lock<[PinningEvent]>([])
        let configuration = server.configuration {
            $0.certificateAuthorityFile = nil
            $0.pinning = .publicKeys(SomePins.two) { $0.isEnforced = false }
            $0.pinning?.reportURI = "\(collector.baseURL)/pins"
            $0.pinning?.stateFolder = folder.path("state")
            $0.pinning?.onEvent = { event in events.withLock { $0.append(event) } }
            $0.defaultHeaders = ["Authorization": "Bearer hidden-token"]
            $0.time = clock
        }
        var trusting = configuration
        trusting.certificateAuthorityFile = try authorities(server, collector)
        let repository = AbstractRepository(configuration: trusting)

        for _ in 0..<3 {
            #expect(
                await repository.perform(Request<Void>.get("volumes", query: ["page": "hidden-page"])).failure == nil
            )
        }
        let report = try await collector.request(0)
        let text = String(decoding: report.body, as: UTF8.self) + "\(report.headers.fields)"
        #expect(text.contains("-----BEGIN CERTIFICATE-----") && text.contains("\"enforce-pinning\":false"))
        #expect(!text.contains("hidden"), "\(text)")
        #expect(events.withLock { $0.first }?.isRefused == false)

        clock.date += 86_401
        #expect(await call(trusting).failure == nil)
        _ = try await collector.request(1)
        #expect(collector.requests.count == 2)
    }

    @Test("that is refused is reported to the pinned host itself, by a client without its pins")
    func reportToPinnedHost() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { _ in .status(204) }
        defer { server.stop() }
        let configuration = server.configuration {
            $0.pinning = .publicKeys(SomePins.two)
            $0.pinning?.reportURI = "\(server.baseURL)/pins"
            $0.pinning?.stateFolder = folder.path("state")
        }

        #expect(await call(configuration).failure?.label == "pinMismatch")

        let report = try await server.request(0)
        #expect(report.method == "POST" && report.target == "/pins")
        #expect(server.requests.count == 1)
    }

    @Test("is not held up by a server of reports that is down, which is asked once")
    func reportsDown() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { _ in .json("{}") }
        defer { server.stop() }
        let collector = try ScriptedServer(tls: .selfSigned) { _ in .status(503) }
        defer { collector.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.certificateAuthorityFile = try? authorities(server, collector)
                $0.pinning = .publicKeys(SomePins.two) { $0.isEnforced = false }
                $0.pinning?.reportURI = "\(collector.baseURL)/pins"
                $0.pinning?.stateFolder = folder.path("state")
                $0.time = clock
            }
        )

        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { await repository.perform(Request<Void>.get("volumes")).failure == nil }
            }
            for await isSent in group { #expect(isSent) }
        }
        try await clock.sleepers(count: 1)

        #expect(server.requests.count == 200)
        #expect(collector.requests.count == 1)
    }
}
