import FoundationEssentials
import MastheadLock
import MastheadTesting
import MastheadTransport
import Testing

@Suite("A trust policy")
struct TrustPolicyTests {
    private func pins(_ byte: UInt8) throws -> PinPolicy {
        let host = try PinnedHost("example.com", pins: [Pin.publicKey(Array(repeating: byte, count: Pin.size))])
        return PinPolicy(hosts: [host])
    }

    @Test("is equal to one with equal fixed pins, and to none with others or with a store")
    func comparesPins() throws {
        func policy(_ pins: PinSource?) -> TrustPolicy {
            var policy = TrustPolicy()
            policy.pins = pins
            return policy
        }
        let store = PinStore(try pins(1))

        #expect(policy(.fixed(try pins(1))) == policy(.fixed(try pins(1))))
        #expect(policy(.fixed(try pins(1))).hashValue == policy(.fixed(try pins(1))).hashValue)
        #expect(policy(.fixed(try pins(1))) != policy(.fixed(try pins(2))))
        #expect(policy(.fixed(try pins(1))) != policy(nil))
        #expect(policy(.store(store)) == policy(.store(store)))
        #expect(policy(.store(store)) != policy(.store(PinStore(try pins(1)))))
        #expect(policy(.store(store)) != policy(.fixed(try pins(1))))
    }

    @Test("is equal to none with other settings of TLS, another identity or another reporter")
    func comparesSettings() throws {
        let plain = TrustPolicy()
        func changed(_ change: (inout TrustPolicy) -> Void) -> TrustPolicy {
            var policy = plain
            change(&policy)
            return policy
        }
        func identity(_ passphrase: String) -> TLSClientIdentity {
            TLSClientIdentity(.pkcs12([1, 2]), passphrase: passphrase)
        }

        #expect(plain != changed { $0.tls.minimumVersion = .tls13 })
        #expect(plain != changed { $0.tls.stapling = .required })
        #expect(plain != changed { $0.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true })
        #expect(plain != changed { $0.tls.clientIdentity = identity("a") })
        #expect(changed { $0.tls.clientIdentity = identity("a") } == changed { $0.tls.clientIdentity = identity("a") })
        #expect(changed { $0.tls.clientIdentity = identity("a") } != changed { $0.tls.clientIdentity = identity("b") })
        #expect(plain != changed { $0.pinReporter = PinReporter { _ in } })
    }

    @Test("shows nothing of a client's identity")
    func hidesIdentity() {
        var policy = TrustPolicy()
        policy.tls.clientIdentity = TLSClientIdentity(
            .pem(certificates: Array("planted".utf8), key: Array("planted".utf8)),
            passphrase: "planted"
        )
        var text = "\(policy)\(String(reflecting: policy))"
        dump(policy, to: &text)

        #expect(text.contains("a client's identity"))
        #expect(!text.contains("planted"))
        #expect(!text.contains("112"))
    }

    @Test("a store's pins change, and their number with them")
    func replacesPins() throws {
        let store = PinStore(try pins(1))
        let source = PinSource.store(store)
        let first = source.generation

        store.replace(with: try pins(2))

        #expect(source.current.policy == (try pins(2)))
        #expect(source.generation != first)
        #expect(source.current.generation == source.generation)
    }

    @Test("a reporter's time never goes back behind a verified chain, and a clock ahead for a while moves nothing")
    func keepsFloor() {
        let time = Lock(Date(timeIntervalSince1970: 100))
        @Sendable func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        let kept = Lock<[Date]>([])
        let reporter = PinReporter(
            floor: date(50),
            clock: { time.withLock { $0 } },
            keep: { date in kept.withLock { $0.append(date) } }
        ) { _ in }

        #expect(reporter.now == date(100))
        reporter.noteVerified()
        time.withLock { $0 = date(20) }
        #expect(reporter.now == date(100))
        time.withLock { $0 = date(200) }
        #expect(reporter.now == date(200))
        time.withLock { $0 = date(120) }
        #expect(reporter.now == date(120))
        #expect(kept.withLock { $0 } == [date(100)])
        let later = PinReporter(floor: date(500), clock: { date(20) }) { _ in }
        #expect(later.now == date(500))
    }
}
