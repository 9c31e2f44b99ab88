import FoundationEssentials
import Glibc
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// What stands in the environment and must not matter: each in a process of its own.
@Suite(.timeLimit(.minutes(1)))
struct EnvironmentTests {
    /// Seconds after which a child that hangs is ended by the system: a time limit reaches the parent alone.
    private static let patience: UInt32 = 50

    @Test("takes no proxy from the environment")
    func ignoresProxies() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let proxy = try ScriptedServer { _ in .text("proxy") }
            let server = try ScriptedServer { _ in .text("server") }
            for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"] {
                setenv(name, proxy.baseURL.absoluteString, 1)
            }
            let response = try await Transport().perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
            try #require(response.body == Data("server".utf8))
            try #require(proxy.connectionCount == 0)
        }
    }

    @Test("goes through the proxy it is told, whatever the environment makes an exception of")
    func ignoresExceptions() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let proxy = try ScriptedServer { _ in .text("proxy") }
            let server = try ScriptedServer { _ in .text("server") }
            for name in ["no_proxy", "NO_PROXY"] { setenv(name, "*", 1) }
            var route = TransportRoute()
            route.proxy = .init(url: proxy.baseURL.absoluteString)
            let request = TransportRequest(url: server.baseURL.absoluteString + "/")
            let response = try await Transport(route: route).perform(request)
            try #require(response.body == Data("proxy".utf8))
            try #require(server.connectionCount == 0)
        }
    }

    @Test("writes no TLS key log because the environment names a file")
    func writesNoKeyLog() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let path = FileManager.default.temporaryDirectory.appending(path: "keys-\(UInt64.random(in: 0 ... .max))")
                .path
            setenv("SSLKEYLOGFILE", path, 1)
            let server = try ScriptedServer(.text("secret"), tls: .selfSigned)
            let transport = Transport(policy: TrustPolicy(certificateAuthorityFile: server.certificateAuthorityFile))
            _ = try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
            try #require(!FileManager.default.fileExists(atPath: path))
            try #require(getenv("SSLKEYLOGFILE") != nil, "the variable is the app's own")
        }
    }

    @Test("reads no password from a .netrc")
    func ignoresNetrc() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UInt64.random(in: 0 ... .max))")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: home) }
            try Data("default login user password secret".utf8).write(to: home.appending(path: ".netrc"))
            setenv("HOME", home.path, 1)
            let server = try ScriptedServer(.status(204))
            _ = try await Transport().perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
            try #require(server.requests.first?.headers["Authorization"] == nil)
        }
    }

    @Test("ends its thread with the process, in the middle of an exchange")
    func endsWithProcess() async {
        await #expect(processExitsWith: .exitCode(7)) {
            alarm(Self.patience)
            // Registered first, so it runs last: only if the thread could be joined.
            atexit { _exit(7) }
            let server = try ScriptedServer(.never)
            let url = server.baseURL.absoluteString + "/"
            let task = Task { try await Transport().perform(TransportRequest(url: url)) }
            _ = try await server.request(0)
            withExtendedLifetime(task) { exit(1) }
        }
    }

    @Test(
        "holds nothing up when it is cancelled while a name look-up never answers",
        .enabled(if: PrivateView.isAllowed)
    )
    func cancelsLookUp() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let server = try ScriptedServer { _ in .text("ok") }
            let silent = try SilentNameServer()
            let transport = Transport.alone()
            let look = Task {
                // Holds for the threads that this one starts from here on: the loop's, and through it the look-ups'.
                try silent.takeOver()
                return try await transport.perform(TransportRequest(url: "http://never.example/"))
            }
            try await silent.query()
            look.cancel()
            let result = await look.result
            try #require(throws: TransportError.cancelled) { try result.get() }
            // The look-up still runs, and would for minutes.
            let response = try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
            try #require(response.status == 200)
            try #require(await transport.counts().active == 0)
            _exit(0)
        }
    }

    @Test("keeps no more of an endless body in memory than the limit allows")
    func boundsMemory() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let server = try ScriptedServer(
                .text("warm"),
                .generated(byteCount: 200 << 20).chunked(size: 65_536),
                .generated(byteCount: 200 << 20)
            )
            var request = TransportRequest(url: server.baseURL.absoluteString + "/")
            request.limits.maximumBodySize = 8 << 20
            let bounded = request
            _ = try await Transport().perform(bounded)
            let before = try ProcessTable.peakMemory()
            for _ in 0..<2 {
                let error = await #expect(throws: TransportError.self) { try await Transport().perform(bounded) }
                try #require(error == .bodyTooLarge(limit: 8 << 20))
            }
            // The limit itself, once more while a buffer grows into another, and what the server's own pieces take.
            try #require(ProcessTable.peakMemory() - before < 32 << 20)
        }
    }
}
