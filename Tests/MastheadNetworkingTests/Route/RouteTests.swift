import FoundationEssentials
import Glibc
import MastheadNetworking
import MastheadTesting
import Testing

/// Ways to a server over real sockets, without a proxy.
@Suite("A way to the server", .timeLimit(.minutes(1)))
struct RouteTests {
    private func repository(
        _ domain: String,
        _ route: NetworkRoute,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> AbstractRepository {
        AbstractRepository(
            configuration: NetworkingConfiguration(domainURL: domain) {
                $0.useSecureConnection = false
                $0.route = route
                configure(&$0)
            }
        )
    }

    @Test("is an address of the app's choice, under the host's own name", arguments: [nil, 8080])
    func address(port: Int?) async throws {
        let server = try ScriptedServer(.text("here"))
        defer { server.stop() }
        let name = port.map { "api.invalid:\($0)" } ?? "api.invalid"
        let route = NetworkRoute { $0.addresses = [name: "127.0.0.1:\(server.port)", "other.invalid": "127.0.0.1:1"] }
        try await repository(name, route).perform(Request<Void>.get("a")).get()
        #expect(try await server.request(0).headers["Host"] == name)
    }

    @Test("is an address, and the certificate must still be the host's")
    func addressWithTLS() async throws {
        let server = try ScriptedServer(.text("here"), tls: .selfSigned(names: ["api.invalid"]))
        defer { server.stop() }
        for (name, isRight) in [("api.invalid", true), ("other.invalid", false)] {
            let route = NetworkRoute { $0.addresses = [name: "127.0.0.1:\(server.port)"] }
            let error = await repository(name, route) {
                $0.useSecureConnection = true
                $0.certificateAuthorityFile = server.certificateAuthorityFile
            }.perform(Request<Void>.get("a")).failure
            if isRight {
                #expect(error == nil)
            } else {
                guard case .tls? = error else {
                    Issue.record("expected a wrong certificate, got \(String(describing: error))")
                    continue
                }
            }
        }
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.serverName == "api.invalid")
    }

    @Test("leaks to no other request, neither at the same time nor later")
    func leaksNothing() async throws {
        let gate = ScriptedServer.Gate()
        let first = try ScriptedServer { _ in .text("first").held(until: gate) }
        defer { first.stop() }
        let second = try ScriptedServer { _ in .text("second").held(until: gate) }
        defer { second.stop() }
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for server in [first, second, first, second] {
                let repository = repository(
                    "api.invalid",
                    NetworkRoute { $0.addresses = ["api.invalid": "127.0.0.1:\(server.port)"] }
                )
                group.addTask { try await repository.performRaw(.get("a")).get().text }
            }
            // All four are under way at once.
            try await gate.waiters(count: 4)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.sorted() == ["first", "first", "second", "second"])
        // The kept connections and the answers of the others serve nobody who did not ask for them.
        let error = await repository("api.invalid", .direct).perform(Request<Void>.get("a")).failure
        switch error {
        case .dns, .noNetworkConnection: break
        default: Issue.record("expected no address, got \(String(describing: error))")
        }
        #expect(first.requests.count == 2)
        #expect(second.requests.count == 2)
    }

    @Test("is a Unix socket, which another request does not get")
    func unixSockets() async throws {
        let folder = FileManager.default.temporaryDirectory
        let paths = (0..<2).map { _ in folder.appending(path: "s-\(UInt64.random(in: 0 ... .max))").path }
        let servers = try paths.map { path in try ScriptedServer(host: .unix(path)) { _ in .text(path) } }
        defer { for server in servers { server.stop() } }
        let plain = try ScriptedServer { _ in .text("plain") }
        defer { plain.stop() }
        for _ in 0..<2 {
            async let one = repository("localhost:\(plain.port)", .unixSocket(paths[0])).performRaw(.get("a")).get()
                .text
            async let two = repository("localhost:\(plain.port)", .unixSocket(paths[1])).performRaw(.get("a")).get()
                .text
            async let none = repository("localhost:\(plain.port)", .direct).performRaw(.get("a")).get().text
            #expect(try await [one, two, none] == paths + ["plain"])
        }
        #expect(servers[0].requests.first?.headers["Host"] == "localhost:\(plain.port)")
        guard
            case .refused? = await repository("localhost", .unixSocket("/nonexistent/socket"))
                .perform(Request<Void>.get("a")).failure
        else {
            Issue.record("expected nobody there")
            return
        }
    }

    @Test("begins at an address of the app's choice, and another's connection does not serve who chose none")
    func localAddress() async throws {
        let server = try ScriptedServer { _ in .status(204) }
        defer { server.stop() }
        let host = "127.0.0.1:\(server.port)"
        for route in [NetworkRoute { $0.localAddress = "127.0.0.2" }, .direct, NetworkRoute { $0.localAddress = "lo" }]
        {
            try await repository(host, route).perform(Request<Void>.get("a")).get()
        }
        let addresses = server.requests.map { $0.clientAddress }
        #expect(addresses.first?.contains("127.0.0.2") == true, "\(addresses)")
        #expect(addresses.dropFirst().allSatisfy { !$0.contains("127.0.0.2") }, "\(addresses)")
        let error = await repository(host, NetworkRoute { $0.localAddress = "nosuch0" }).perform(Request<Void>.get("a"))
            .failure
        guard case .invalidConfiguration? = error else {
            Issue.record("expected no such interface, got \(String(describing: error))")
            return
        }
    }

    @Test("is IPv6, by address and by a name's address", .enabled(if: hasIPv6))
    func ipv6() async throws {
        let server = try ScriptedServer(.redirect(to: "/next"), .status(204), .status(204), host: .ipv6)
        defer { server.stop() }
        try await AbstractRepository(configuration: server.configuration()).perform(Request<Void>.get("a")).get()
        let route = NetworkRoute { $0.addresses = ["api.invalid": "[::1]:\(server.port)"] }
        try await repository("api.invalid", route).perform(Request<Void>.get("b")).get()
        #expect(
            server.requests.map { $0.headers["Host"] } == [
                "[::1]:\(server.port)", "[::1]:\(server.port)", "api.invalid",
            ]
        )
    }

    @Test("finds a host beyond ASCII, however it is spelt")
    func internationalHost() async throws {
        let server = try ScriptedServer(
            .redirect(to: "http://BÜCHER.invalid/b"),
            .redirect(to: "//b%C3%BCcher.invalid:80/c"),
            .status(204),
            .status(204)
        )
        defer { server.stop() }
        let route = NetworkRoute { $0.addresses = ["bücher.invalid": "127.0.0.1:\(server.port)"] }
        let repository = AbstractRepository(
            configuration: NetworkingConfiguration(domainURL: "bücher.invalid") {
                $0.useSecureConnection = false
                $0.route = route
            },
            defaultHeaders: ["Authorization": "s3cret"]
        )
        try await repository.perform(Request<Void>.get("a")).get()
        // As Foundation writes it.
        let foundation = ForeignURLRepository(configuration: repository.configuration)
        try await foundation.perform(Request<Void>.get("d")).get()

        #expect(server.requests.map(\.target) == ["/a", "/b", "/c", "/d"])
        #expect(server.requests.allSatisfy { $0.headers["Host"] == "xn--bcher-kva.invalid" })
        // One origin: nothing was dropped.
        #expect(server.requests.prefix(3).allSatisfy { $0.headers["Authorization"] == "s3cret" })
    }

    @Test("finds a host beyond ASCII in a process of no character set, as Foundation writes it")
    func internationalHostInC() async {
        await #expect(processExitsWith: .success) {
            alarm(50)
            setlocale(LC_ALL, "C")
            let server = try ScriptedServer(.status(204))
            let configuration = NetworkingConfiguration(domainURL: "bücher.invalid") {
                $0.useSecureConnection = false
                $0.route.addresses = ["bücher.invalid": "127.0.0.1:\(server.port)"]
            }
            let repository = ForeignURLRepository(configuration: configuration)
            try await repository.perform(Request<Void>.get("d")).get()
            try #require(server.requests.first?.headers["Host"] == "xn--bcher-kva.invalid")
        }
    }

    static let hasIPv6 = (try? ScriptedServer(host: .ipv6).stop()) != nil
}

/// Asks with a URL of Foundation's making.
private final class ForeignURLRepository: AbstractRepository, @unchecked Sendable {
    override func prepare(_ request: inout HTTPRequest) {
        request.url = URL(string: "http://bücher.invalid/d") ?? request.url
    }
}
