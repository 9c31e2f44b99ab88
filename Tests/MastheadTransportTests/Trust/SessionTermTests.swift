import FoundationEssentials
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import Testing

@Suite("A TLS session that could be gone on with", .timeLimit(.minutes(1)))
struct SessionTermTests {
    /// A server whose connections end after each answer, and its clients' clock.
    private struct Server {
        let root: CertificateAuthority
        let tls: ServerTLS
        let server: ScriptedServer
        let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let clock: TurnedDate

        init(_ version: TLSServerSettings.Version, leaf: Int = 90 * 86_400, intermediate: Int = 90 * 86_400) throws {
            root = try CertificateAuthority(name: "Root", validity: .init(start: -60, end: 91 * 86_400))
            let middle = try root.intermediate(name: "Middle", validity: .init(start: -60, end: intermediate))
            let identity = try middle.issue(
                names: ["localhost"],
                addresses: ["127.0.0.1"],
                validity: .init(start: -60, end: leaf)
            )
            var settings = TLSServerSettings(identity)
            settings.maximumVersion = version
            tls = try ServerTLS(settings, trusting: [root.certificate])
            server = try ScriptedServer(secured: tls) { _ in .text("answer").closing() }
            clock = TurnedDate(start)
        }

        func transport(isPinned: Bool) throws -> Transport {
            var policy = TrustPolicy(certificateAuthorityFile: tls.authorityPath)
            policy.pinReporter = PinReporter(clock: { [clock] in clock.date }) { _ in }
            if isPinned {
                let pin = Pin.publicKey(try root.certificate.publicKeyDigest())
                policy.pins = .fixed(try PinnedServer.pins(pin))
            }
            return Transport(policy: policy)
        }

        /// Asks at these times, in seconds from now, and says which of the connections went on with a session.
        func resumed(at times: [Int], isPinned: Bool) async throws -> [Bool] {
            let transport = try transport(isPinned: isPinned)
            for time in times {
                clock.turn(to: start + Double(time))
                #expect(await failure(transport, TransportRequest(url: server.baseURL.absoluteString + "/")) == nil)
            }
            return tls.passages.map(\.isResumed)
        }
    }

    @Test(
        "is, for a day since its server was verified, however often that is done; then the server proves everything again",
        arguments: [TLSServerSettings.Version.tls12, .tls13],
        [true, false]
    )
    func lastsADay(version: TLSServerSettings.Version, isPinned: Bool) async throws {
        let day = 86_400
        let resumed = try await Server(version).resumed(
            at: [0, 1, day / 2, day - 1, day, day + 1, 2 * day - 1, 2 * day],
            isPinned: isPinned
        )
        #expect(resumed == [false, true, true, true, false, true, true, false])
    }

    @Test(
        "is only as long as each certificate of the chain holds",
        arguments: [(leaf: 3600, intermediate: 7200), (leaf: 7200, intermediate: 3600)],
        [TLSServerSettings.Version.tls12, .tls13]
    )
    func endsWithCertificates(ends: (leaf: Int, intermediate: Int), version: TLSServerSettings.Version) async throws {
        for isPinned in [true, false] {
            let server = try Server(version, leaf: ends.leaf, intermediate: ends.intermediate)
            // Made a moment ago, and counted in whole seconds.
            let resumed = try await server.resumed(at: [0, 3590, 3610, 3620], isPinned: isPinned)
            #expect(resumed == [false, true, false, false])
        }
    }

    @Test("is not by a clock that has gone back behind its beginning")
    func distrustsClock() async throws {
        let resumed = try await Server(.tls13).resumed(at: [0, -1, 0], isPinned: false)
        #expect(resumed == [false, false, true])
    }
}
