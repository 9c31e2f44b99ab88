import FoundationEssentials
import Glibc
import MastheadLock
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

@Suite("Reports of pins", .timeLimit(.minutes(5)))
struct PinReportTests {
    private let folder: TestFolder
    private let clock = ManualClock()

    init() throws {
        folder = try TestFolder()
    }

    private var path: String { folder.path("reports") }

    private func sender(to server: ScriptedServer, _ path: String) throws -> PinReportSender {
        PinReportSender(
            to: try #require(URL(string: "\(server.baseURL)/pins")),
            in: path,
            server.configuration { $0.time = clock }
        )
    }

    private func event(_ chain: String = "PEM", isEnforced: Bool = true) throws -> PinEvent {
        let host = try PinnedHost(
            "example.com",
            includesSubdomains: true,
            pins: [.publicKey([UInt8](repeating: 1, count: 32)), .certificate([UInt8](repeating: 2, count: 32))],
            expiry: Date(timeIntervalSince1970: 1_900_000_000),
            isEnforced: isEnforced
        )
        let failure = PinFailure(
            host: "api.example.com",
            port: 8443,
            expected: ["sha256/A"],
            served: ["sha256/S CN=served"],
            built: ["sha256/B CN=built"]
        )
        return PinEvent(failure: failure, host: host, isRefused: isEnforced, chain: [chain, "ROOT"])
    }

    @Test("say what RFC 7469 asks for, in a POST with nothing else of the app's")
    func content() async throws {
        let server = try ScriptedServer(.status(204), tls: .selfSigned)
        defer { server.stop() }
        try await sender(to: server, path).take(event())

        let request = try await server.request(0)

        #expect(request.method == "POST" && request.target == "/pins")
        let names = Set(request.headers.fields.map { $0.name.lowercased() })
        #expect(
            names.isSubset(of: ["host", "content-type", "content-length", "user-agent", "accept", "accept-encoding"]),
            "\(names)"
        )
        #expect(request.headers["Content-Type"] == "application/json")
        let json = try #require(try JSONDecoder().decode(JSONValue.self, from: request.body).objectValue)
        #expect(json["hostname"] == "api.example.com" && json["noted-hostname"] == "example.com")
        #expect(json["port"] == 8443 && json["include-subdomains"] == true && json["enforce-pinning"] == true)
        #expect(json["validated-certificate-chain"] == ["PEM", "ROOT"] && json["reason"] == "mismatch")
        #expect(json["date-time"] == "2023-11-14T22:13:20Z")
        #expect(json["effective-expiration-date"] == "2030-03-17T17:46:40Z")
        let pins = json["known-pins"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(pins.count == 2 && pins.contains { $0.hasPrefix("pin-sha256=\"AQEB") })
        #expect(pins.contains { $0.hasPrefix("certificate-sha256=\"AgIC") })
        #expect(json["sdk-version"]?.stringValue?.hasPrefix("Masthead/") == true)
    }

    @Test("pinning case 41: are made once in 24 hours for what is the same, and at once for another chain")
    func onceADay() async throws {
        let server = try ScriptedServer { _ in .status(200) }
        defer { server.stop() }
        let sender = try sender(to: server, path)
        for _ in 0..<5 { try await sender.take(event("one")) }
        try await sender.take(event("two"))
        _ = try await server.request(1)
        clock.date += 86_399
        try await sender.take(event("one"))
        clock.date += 1
        try await sender.take(event("one"))
        _ = try await server.request(2)

        let chains = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(chains.map { $0.contains("\"one\"") } == [true, false, true])
    }

    @Test(
        "pinning case 43: wait on disk while their server is down: as many as there is room for, and one post for each wait"
    )
    func serverDown() async throws {
        let posts = Lock(0)
        let isUp = Lock(false)
        let server = try ScriptedServer { _ in
            posts.withLock { $0 += 1 }
            return .status(isUp.withLock { $0 } ? 200 : 503)
        }
        defer { server.stop() }
        let sender = try sender(to: server, path)
        for number in 0..<10_000 { try await sender.take(event("chain \(number)")) }
        try await clock.sleepers(count: 1)

        #expect(posts.withLock { $0 } == 1)
        #expect(
            folder.names(below: "reports").filter { $0.hasSuffix(".json") }.count == CertificatePinning.maximumReports
        )
        for post in 2...4 {
            clock.advance(by: .seconds(60 << (post - 2)))
            _ = try await server.request(post - 1)
            try await clock.sleepers(count: 1)
            #expect(posts.withLock { $0 } == post)
        }

        isUp.withLock { $0 = true }
        clock.advance(by: .seconds(3600))
        _ = try await server.request(3 + CertificatePinning.maximumReports)
        // Delivered ones leave a mark and no report.
        while folder.names(below: "reports").contains(where: { $0.hasSuffix(".json") }) { await Task.yield() }
        #expect(
            folder.names(below: "reports").filter { $0.hasSuffix(".made") }.count == CertificatePinning.maximumReports
        )
    }

    @Test("that no process got rid of are posted by the next, and not made again")
    func nextProcess() async throws {
        let down = try ScriptedServer { _ in .status(503) }
        var first: PinReportSender? = try sender(to: down, path)
        try await first?.take(event("one"))
        try await clock.sleepers(count: 1)
        // What the first one still waits for ends with its clock's tasks; the folder is free as soon as it is gone.
        down.stop()
        let copy = folder.path("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        first = nil

        let up = try ScriptedServer { _ in .status(200) }
        defer { up.stop() }
        let next = try sender(to: up, copy)
        await next.resume()
        let request = try await up.request(0)
        #expect(String(decoding: request.body, as: UTF8.self).contains("\"one\""))
        try await next.take(event("one"))
        try await next.take(event("two"))
        _ = try await up.request(1)
        #expect(String(decoding: try await up.request(1).body, as: UTF8.self).contains("\"two\""))
    }

    @Test(
        "are dropped if their server does not want them, and its redirects are not followed",
        arguments: [302, 404, 410]
    )
    func refused(status: Int) async throws {
        let server = try ScriptedServer { request in
            request.target == "/pins" ? .status(status, headers: ["Location": "/elsewhere"]) : .status(200)
        }
        defer { server.stop() }
        let sender = try sender(to: server, path)
        try await sender.take(event("one"))
        try await sender.take(event("two"))
        _ = try await server.request(1)
        while folder.names(below: "reports").contains(where: { $0.hasSuffix(".json") }) { await Task.yield() }

        #expect(server.requests.map(\.target) == ["/pins", "/pins"])
    }

    @Test("are for their owner alone, and one sender at a time has the folder")
    func privacy() async throws {
        let server = try ScriptedServer { _ in .status(503) }
        defer { server.stop() }
        let first = try sender(to: server, path)
        try await first.take(event("one"))
        try await clock.sleepers(count: 1)
        let second = try sender(to: server, path)
        try await second.take(event("two"))
        try await clock.sleepers(count: 2)

        #expect(folder.names(below: "reports").filter { $0.hasSuffix(".json") }.count == 1)
        for name in [""] + folder.names(below: "reports") {
            var status = stat()
            #expect(stat("\(path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o077 == 0, "\(name)")
        }
    }
}

extension TestFolder {
    /// The names of a folder's files, in order.
    fileprivate func names(below name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }
}
