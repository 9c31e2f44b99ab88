import Foundation
import Glibc
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import Testing

/// Verification that a developer has switched off.
@Suite("Trust in any certificate whatever", .timeLimit(.minutes(1)))
struct AnyCertificateTests {
    private static var policy: TrustPolicy {
        var policy = TrustPolicy()
        policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true
        return policy
    }

    @Test("is there for a server of this machine, where a developer says so")
    func trustsAnyCertificate() async throws {
        let pinned = try PinnedServer()
        let request = TransportRequest(url: pinned.url)
        var policy = TrustPolicy()
        policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true

        #expect(await failure(Transport(policy: TrustPolicy()), request)?.tlsReason != nil)
        #expect(await failure(Transport(policy: policy), request) == nil)
    }

    @Test("is never there together with pins, a proof of revocation or a proxy")
    func trustsAnyCertificateAlone() async throws {
        let pins = try PinnedServer.pins(PinnedServer.strange)
        var policies = [TrustPolicy(), TrustPolicy(), TrustPolicy()]
        for index in policies.indices { policies[index].tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true }
        policies[0].pins = .fixed(pins)
        policies[1].tls.stapling = .required
        var route = TransportRoute()
        route.proxy = .init(url: "http://127.0.0.1:9")

        for (policy, route) in [(policies[0], TransportRoute()), (policies[1], TransportRoute()), (policies[2], route)]
        {
            let failed = await failure(
                Transport(policy: policy, route: route),
                TransportRequest(url: "https://127.0.0.1:9/")
            )
            guard case .setup = failed else {
                Issue.record("\(String(describing: failed))")
                continue
            }
        }
    }

    @Test(
        "makes no connection to a public address: not a byte goes there",
        arguments: ["198.51.100.7", "[2001:db8::7]", "[::ffff:198.51.100.7]"]
    )
    func connectsToNoPublicAddress(address: String) async throws {
        let pinned = try PinnedServer()
        var route = TransportRoute()
        route.connectTo = ["public.example:443:\(address):443", "local.example:443:127.0.0.1:\(pinned.server.port)"]
        let transport = Transport(policy: Self.policy, route: route)

        // A name alone is not private, nor public: its address decides.
        #expect(await failure(transport, TransportRequest(url: "https://local.example/")) == nil)
        let text = address.filter { $0 != "[" && $0 != "]" }
        for url in ["https://public.example/", "https://\(address)/"] {
            let reason = await failure(transport, TransportRequest(url: url))?.tlsReason
            #expect(reason?.hasSuffix("but \(text) is no address of this machine or a private network") == true)
        }
    }

    @Test(
        "sends nothing on a connection that leads to a public address all the same",
        .enabled(if: PrivateView.isAllowed, "needs the right to leave the machine's network")
    )
    func sendsNothingToPublicAddress() async {
        await #expect(processExitsWith: .success) {
            alarm(50)
            var address = in_addr()
            try #require(inet_pton(AF_INET, "198.51.100.7", &address) == 1)
            let pinned = try PinnedServer()
            let call = Task { [address] in
                // Holds for the threads too that this one starts: nothing of it is seen outside.
                try PrivateView.enterNetwork(with: address)
                let host = UInt32(bigEndian: address.s_addr)
                let listener = try #require(LoopbackSocket.listening(on: host))
                let received = try Received(listener, pinned.tls)
                var policy = Self.policy
                // Without a source no connection would be made; libcurl 7.88 connects what it gives.
                policy.socketSource = SocketSource { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
                let url = "https://198.51.100.7:\(LoopbackSocket.localPort(of: listener))/"
                let failed = await failure(Transport(policy: policy), TransportRequest(url: url))
                return (failed, await received.count)
            }
            let (failed, count) = try await call.value
            try #require(failed?.tlsReason?.contains("198.51.100.7 is no address of this machine") == true)
            try #require(pinned.tls.passages.map(\.isAgreed) == [true])
            try #require(count == 0)
        }
    }

    /// How many bytes come to a listening socket after TLS was agreed on.
    private struct Received {
        private let counts: AsyncStream<Int>

        init(_ listener: Int32, _ tls: ServerTLS) throws {
            let (counts, sink) = AsyncStream.makeStream(of: Int.self)
            self.counts = counts
            Thread.detachNewThread {
                // The client hangs up: that is an error of a write then, and not the end of the process.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                let descriptor = accept(listener, nil, nil)
                defer { close(descriptor) }
                let stream = try? TLSStream(tls, over: ClientSocket(descriptor: descriptor), number: 0)
                let count = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { stream?.read(into: $0) }
                sink.yield(count ?? -1)
                sink.finish()
            }
        }

        var count: Int? {
            get async {
                for await count in counts { return count }
                return nil
            }
        }
    }

    @Test(
        "knows a private address from another",
        arguments: [
            ("127.0.0.1", true), ("127.255.255.255", true), ("10.1.2.3", true), ("172.16.0.1", true),
            ("172.31.255.255", true), ("192.168.0.1", true), ("169.254.1.1", true), ("::1", true), ("fe80::1", true),
            ("fe80::1%eth0", true), ("fd00::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
            ("172.15.0.1", false), ("172.32.0.1", false), ("192.169.0.1", false), ("11.0.0.1", false), ("::2", false),
            ("::", false), ("2001:db8::1", false), ("fec0::1", false), ("::ffff:8.8.8.8", false), ("0.0.0.0", false),
            ("", false), ("localhost", false),
        ]
    )
    func privateAddresses(address: String, isPrivate: Bool) {
        #expect(PrivateAddress.contains(address) == isPrivate)
    }
}
