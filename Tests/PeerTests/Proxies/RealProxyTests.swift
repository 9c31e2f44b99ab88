import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

/// tinyproxy and microsocks, before nginx over TLS and before a server in the clear.
@Suite("Real proxies", .needsProxies, .timeLimit(.minutes(1)))
struct RealProxyTests {
    private static let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private static let upload = RequestBody.data(body, contentType: "application/octet-stream")

    /// What a request is answered with.
    private static func text(_ request: Request<HTTPResponse>, _ repository: AbstractRepository) async throws -> String
    {
        String(decoding: try await repository.performRaw(request).get().body, as: UTF8.self)
    }

    private static func secured(_ nginx: Nginx, _ route: NetworkRoute) -> AbstractRepository {
        // The proxy looks up the name.
        let configuration = NetworkingConfiguration(domainURL: "localhost", port: nginx.port) {
            $0.certificateAuthorityFile = nginx.certificate.path()
            $0.route = route
        }
        return AbstractRepository(configuration: configuration, defaultHeaders: ["Authorization": "Bearer s3cret"])
    }

    private static func plain(_ server: ScriptedServer, _ route: NetworkRoute) -> AbstractRepository {
        AbstractRepository(configuration: server.configuration { $0.route = route })
    }

    private static func expectProxyError(_ repository: AbstractRepository) async {
        let result = await repository.performRaw(.get("a"))
        guard case .failure(.proxy(let reason)) = result else {
            Issue.record("expected an error of the proxy's, got \(result)")
            return
        }
        #expect(!reason.contains("wr0ng"))
    }

    @Test("let https through in a tunnel, HTTP/2 and large bodies in it too", arguments: RealProxy.Program.allCases)
    func tunnel(program: RealProxy.Program) async throws {
        try await withTemporaryFolder { folder in
            try Self.body.write(to: folder.appending(path: "big"))
            let nginx = try await Nginx.start(
                in: folder,
                locations: """
                            location /big { alias \(folder.path())/big; }
                            location / { client_max_body_size 2m; return 200 'answered'; }
                    """
            )
            let proxy = try await RealProxy.start(program, in: folder)
            let repository = Self.secured(nginx, proxy.route())
            #expect(try await Self.text(.post("posted", body: Self.upload), repository) == "answered")
            #expect(try await repository.performRaw(.get("big")).get().body == Self.body)
            let many = await withTaskGroup(of: String?.self) { group in
                for number in 0..<50 {
                    group.addTask { try? await Self.text(.get("many/\(number)"), repository) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(many == Array(repeating: "answered", count: 50))

            for password in [nil, "wr0ng"] as [Secret?] {
                await Self.expectProxyError(Self.secured(nginx, proxy.route(password: password)))
            }
            await proxy.stop()
            let access = try await nginx.stop()
            #expect(access.count == 52 && access.allSatisfy { $0.version == "HTTP/2.0" })
            #expect(access.allSatisfy { $0.authorization == "Bearer s3cret" })
            await Self.expectProxyError(Self.secured(nginx, proxy.route()))
        }
    }

    @Test("let http through, and keep their password from the server", arguments: RealProxy.Program.allCases)
    func plain(program: RealProxy.Program) async throws {
        try await withTemporaryFolder { folder in
            let server = try ScriptedServer { request in .text("\(request.method) \(request.bodyLength)") }
            defer { server.stop() }
            let proxy = try await RealProxy.start(program, in: folder)
            let repository = Self.plain(server, proxy.route())
            #expect(try await Self.text(.get("a"), repository) == "GET 0")
            #expect(try await Self.text(.post("b", body: Self.upload), repository) == "POST 1000000")
            for request in server.requests {
                #expect(request.headers["Host"] == "127.0.0.1:\(server.port)")
                #expect(!request.headers.fields.contains { $0.name.lowercased().hasPrefix("proxy-") })
                // An HTTP proxy says that it was there (RFC 9110, section 7.6.3).
                #expect((request.headers["Via"] != nil) == (program == .tinyproxy))
            }

            await Self.expectProxyError(Self.plain(server, proxy.route(password: nil)))
            // tinyproxy answers 401 here, which nobody can tell from a server's.
            let wrong = await Self.plain(server, proxy.route(password: "wr0ng")).performRaw(.get("a"))
            #expect(throws: RepositoryError.self) { try wrong.get() }
            #expect(server.requests.count == 2)
            await proxy.stop()
        }
    }
}
