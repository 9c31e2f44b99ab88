import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// What an app's own tests are written with, used as an app does: nothing here sees more than the public API.
@Suite("The test kit", .timeLimit(.minutes(1)))
struct TestKitTests {
    private nonisolated struct Volume: Codable, Sendable, Equatable {
        let id: String
        let title: String
    }

    private nonisolated final class VolumeRepository: AbstractRepository, @unchecked Sendable {
        func volume(_ id: String) async -> Result<Volume, RepositoryError> {
            await perform(.get("volumes/\(id)"))
        }

        func finishedVolume(_ id: String) async -> Result<Volume, RepositoryError> {
            await performPolling(.get("volumes/\(id)"))
        }
    }

    private static let orbit = #"{"id": "vol-7", "title": "Orbit"}"#

    @Test("a stub answers a repository without a network")
    func stub() async throws {
        let stub = try StubExecutor(routes: ["GET /volumes/vol-7": .json(Self.orbit)])
        let configuration = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2")
        let repository = VolumeRepository(configuration: configuration, executor: stub)

        #expect(try await repository.volume("vol-7").get() == Volume(id: "vol-7", title: "Orbit"))
        #expect(stub.requests.first?.url.absoluteString == "https://api.example.com/v2/volumes/vol-7")

        guard case .failure(.customError(let missing as MissingAnswer)) = await repository.volume("vol-8") else {
            Issue.record("an answer that is missing was not named")
            return
        }
        #expect(missing.names == ["GET-volumes-vol-8"])
    }

    @Test("a clock turned by hand makes a repository ask again")
    func clock() async throws {
        let clock = ManualClock()
        let server = try ScriptedServer(.status(202), .json(Self.orbit))
        defer { server.stop() }
        let repository = VolumeRepository(configuration: server.configuration { $0.time = clock })

        async let volume = repository.finishedVolume("vol-7")
        try await clock.sleepers(count: 1)
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(1))

        #expect(try await volume.get().title == "Orbit")
        #expect(server.requests.count == 2)
    }

    @Test("a clock turned by hand runs out a time-out")
    func timeout() async throws {
        let clock = ManualClock()
        let server = try ScriptedServer(.never)
        defer { server.stop() }
        let repository = VolumeRepository(configuration: server.configuration { $0.time = clock })

        async let volume = repository.volume("vol-7")
        _ = try await server.request(0)
        clock.advance(by: .seconds(75))

        guard case .failure(.timeout(.idle)) = await volume else {
            Issue.record("the call did not time out")
            return
        }
        try await server.closedConnections(count: 1)
    }

    @Test("a cancelled call gives up its connection")
    func cancellation() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.json(Self.orbit).held(until: gate))
        defer { server.stop() }
        let repository = VolumeRepository(configuration: server.configuration())

        let call = Task { await repository.volume("vol-7") }
        try await gate.waiters(count: 1)
        call.cancel()

        guard case .failure(.cancelled) = await call.value else {
            Issue.record("the call was not cancelled")
            return
        }
        try await server.closedConnections(count: 1)
    }

    @Test("faults become the errors they are", arguments: Fault.allCases)
    func faults(fault: Fault) async throws {
        let server = try ScriptedServer(fault.answer)
        defer { server.stop() }
        let result = await VolumeRepository(configuration: server.configuration()).volume("vol-7")
        #expect(fault.matches(result.failure), "got \(result)")
    }

    @Test("a configuration trusts its own server's authority, and no other's", arguments: [true, false])
    func tls(isTrusted: Bool) async throws {
        let server = try ScriptedServer(.json(Self.orbit), tls: .selfSigned)
        defer { server.stop() }
        let configuration = server.configuration {
            if !isTrusted { $0.certificateAuthorityFile = nil }
        }
        let result = await VolumeRepository(configuration: configuration).volume("vol-7")
        if isTrusted {
            #expect(try result.get().title == "Orbit")
        } else if case .tls = result.failure {
            #expect(server.requests.isEmpty)
        } else {
            Issue.record("got \(result)")
        }
    }

    @Test("a server on IPv6 is reached by its configuration", arguments: [nil, ScriptedServer.TLS.selfSigned])
    func ipv6(tls: ScriptedServer.TLS?) async throws {
        let server = try ScriptedServer(.json(Self.orbit), tls: tls, host: .ipv6)
        defer { server.stop() }
        let repository = VolumeRepository(configuration: server.configuration())
        #expect(try await repository.volume("vol-7").get().id == "vol-7")
    }
}

extension TestKitTests {
    nonisolated enum Fault: CaseIterable, Sendable {
        case cut, shortBody, openChunks, reset, resetWithinBody, hangUp, garbage, html, tooBig

        var answer: ScriptedServer.Answer {
            let json = ScriptedServer.Answer.json(#"{"id": "vol-7", "title": "Orbit"}"#)
            return switch self {
            case .cut: json.cut(afterBodyBytes: 5)
            case .shortBody: json.claimingLength(1000)
            case .openChunks: json.chunked(size: 8, isEnded: false)
            case .reset: .reset
            case .resetWithinBody: .generated(byteCount: 1 << 20).reset(afterBodyBytes: 1 << 19)
            case .hangUp: .hangUp
            case .garbage: .garbage()
            case .html: .text("<html></html>")
            case .tooBig: .generated(byteCount: 200_000_000, contentType: "application/json")
            }
        }

        func matches(_ error: RepositoryError?) -> Bool {
            switch (self, error) {
            case (.cut, .incompleteBody(received: 5, expected: 33)): true
            case (.shortBody, .incompleteBody(received: 33, expected: 1000)): true
            case (.openChunks, .incompleteBody), (.resetWithinBody, .incompleteBody): true
            // A connection that breaks within a body may have lost bytes that were already under way.
            case (.resetWithinBody, .connectionLost(mayHaveBeenProcessed: true)): true
            case (.reset, .connectionLost(mayHaveBeenProcessed: true)), (.hangUp, .connectionLost): true
            case (.garbage, .invalidResponse): true
            case (.html, .jsonError): true
            case (.tooBig, .bodyTooLarge): true
            default: false
            }
        }
    }
}

extension Result {
    fileprivate nonisolated var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
