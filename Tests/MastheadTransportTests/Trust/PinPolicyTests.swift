import FoundationEssentials
import MastheadTransport
import Testing

@Suite("Pins")
struct PinPolicyTests {
    private static let leaf = Pin.publicKey(Array(repeating: 1, count: Pin.size))
    private static let root = Pin.publicKey(Array(repeating: 2, count: Pin.size))
    private static let other = Pin.publicKey(Array(repeating: 3, count: Pin.size))
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private func policy(_ hosts: PinnedHost..., allowsUnpinnedHosts: Bool = true) -> PinPolicy {
        PinPolicy(hosts: hosts, allowsUnpinnedHosts: allowsUnpinnedHosts)
    }

    private func judge(_ policy: PinPolicy, _ chain: [Pin], host: String = "example.com") -> PinVerdict {
        policy.judge(chain: chain, host: host, now: Self.now)
    }

    @Test("any certificate of the chain may have the pin, and one of the pins is enough")
    func matches() throws {
        let host = try PinnedHost("example.com", pins: [Self.root, Self.other])

        #expect(judge(policy(host), [Self.leaf, Self.root]) == .matched(host))
        #expect(judge(policy(host), [Self.leaf]) == .refused(.mismatch, host))
        #expect(judge(policy(host), []) == .refused(.mismatch, host))
        #expect(judge(policy(host), [Self.leaf, Self.root]).isAccepted)
        #expect(!judge(policy(host), [Self.leaf]).isAccepted)
    }

    @Test("a key's pin is no certificate's")
    func tellsKindsApart() throws {
        let host = try PinnedHost("example.com", pins: [Pin.certificate(Self.leaf.digest)])

        #expect(judge(policy(host), [Self.leaf]) == .refused(.mismatch, host))
        #expect(judge(policy(host), [.certificate(Self.leaf.digest)]) == .matched(host))
    }

    @Test("their text can be pasted where pins are set")
    func isText() {
        #expect(Self.leaf.text == "sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=")
    }

    @Test(
        "hold for the host however it is spelled",
        arguments: [
            ("example.com", "EXAMPLE.com."), ("example.com.", "example.com"),
            ("bücher.example", "XN--Bcher-KVA.example"), ("xn--bcher-kva.example.", "bu\u{308}cher.example"),
            ("example.com", "ex%61mple.com"), ("127.0.0.1", "0x7f.1"),
            ("[::1]", "[0:0:0:0:0:0:0:1]"), ("::1", "[::1]"), ("fe80::1", "[FE80::1%25eth0]"),
        ]
    )
    func takesSpellings(pinned: String, asked: String) throws {
        let host = try PinnedHost(pinned, pins: [Self.leaf])

        #expect(policy(host).host(for: asked) == host)
    }

    @Test(
        "hold for what is below the host only if they are said to, and never for what merely ends or begins alike",
        arguments: [
            ("a.example.com", true), ("a.b.example.com", true), ("c.example.com", false), ("d.c.example.com", false),
            ("xc.example.com", true), ("evil-example.com", false), ("example.com.evil.org", false), ("com", false),
            (".example.com", false), ("example.com..", false), ("", false),
        ]
    )
    func reachesSubdomains(asked: String, isCovered: Bool) throws {
        let host = try PinnedHost(
            "example.com",
            includesSubdomains: true,
            excludedSubdomains: ["C.example.com."],
            pins: [Self.leaf]
        )
        let exact = try PinnedHost("example.com", pins: [Self.leaf])

        #expect((policy(host).host(for: asked) == host) == isCovered)
        #expect(policy(exact).host(for: asked) == nil)
    }

    @Test("of an address hold for that address alone")
    func keepsAddressesExact() throws {
        let host = try PinnedHost("0.0.1", includesSubdomains: true, pins: [Self.leaf])
        let four = try PinnedHost("127.0.0.1", includesSubdomains: true, pins: [Self.leaf])

        #expect(host.name == "0.0.0.1")
        #expect(policy(host).host(for: "127.0.0.1") == nil)
        #expect(policy(four).host(for: "a.127.0.0.1") == nil)
    }

    @Test("of the longest name alone hold, in whatever order they are written")
    func takesLongest() throws {
        let parent = try PinnedHost("example.com", includesSubdomains: true, pins: [Self.leaf])
        let child = try PinnedHost("a.example.com", includesSubdomains: true, pins: [Self.root])

        for policy in [policy(parent, child), policy(child, parent)] {
            #expect(judge(policy, [Self.leaf], host: "b.a.example.com") == .refused(.mismatch, child))
            #expect(judge(policy, [Self.root], host: "b.a.example.com") == .matched(child))
            #expect(judge(policy, [Self.leaf], host: "b.example.com") == .matched(parent))
        }
    }

    @Test("a name that the longest one leaves out falls to the next")
    func fallsThroughExclusion() throws {
        let parent = try PinnedHost("example.com", includesSubdomains: true, pins: [Self.leaf])
        let child = try PinnedHost(
            "a.example.com",
            includesSubdomains: true,
            excludedSubdomains: ["b.a.example.com"],
            pins: [Self.root]
        )

        #expect(policy(parent, child).host(for: "b.a.example.com") == parent)
    }

    @Test("a host without pins is trusted, or refused, as the policy says; one that is no host always is refused")
    func judgesUnpinned() throws {
        let host = try PinnedHost("example.com", pins: [Self.leaf])

        #expect(judge(policy(host), [], host: "example.org") == .unpinned)
        let strict = policy(host, allowsUnpinnedHosts: false)
        #expect(judge(strict, [Self.leaf], host: "example.org") == .refused(.unpinnedHost, nil))
        #expect(judge(policy(host), [Self.leaf], host: "a b") == .refused(.unpinnedHost, nil))
    }

    @Test("the chain is not asked for where the host has no pins")
    func asksLate() throws {
        let host = try PinnedHost("example.com", pins: [Self.leaf])
        var asked = 0
        func chain() -> [Pin] {
            asked += 1
            return [Self.leaf]
        }

        _ = policy(host).judge(chain: chain(), host: "example.org", now: Self.now)
        #expect(asked == 0)
        _ = policy(host).judge(chain: chain(), host: "example.com", now: Self.now)
        #expect(asked == 1)
    }

    @Test("end at their expiry, and leave the host without pins or refused", arguments: [false, true])
    func expires(failsWhenExpired: Bool) throws {
        func host(until seconds: Double) throws -> PinnedHost {
            try PinnedHost(
                "example.com",
                pins: [Self.leaf],
                expiry: Self.now.addingTimeInterval(seconds),
                failsWhenExpired: failsWhenExpired
            )
        }

        let over = try host(until: 0)
        let verdict = failsWhenExpired ? PinVerdict.refused(.expired, over) : .expired(over)
        #expect(judge(policy(over), [Self.leaf]) == verdict)
        #expect(judge(policy(over), [Self.other]) == verdict)
        let lasting = try host(until: 1)
        #expect(judge(policy(lasting), [Self.other]) == .refused(.mismatch, lasting))
    }

    @Test("that are not enforced refuse nothing")
    func reports() throws {
        let host = try PinnedHost("example.com", pins: [Self.leaf], isEnforced: false)

        #expect(judge(policy(host), [Self.other]) == .reported(host))
        #expect(judge(policy(host), [Self.other]).isAccepted)
        #expect(judge(policy(host), [Self.leaf]) == .matched(host))
    }

    @Test(
        "are refused for what is no host",
        arguments: ["", "a b", "a/b", "a@b", "a:80", "[::1", "a..b", "a\0b", "a%2fb"]
    )
    func refusesNoHost(name: String) {
        #expect(throws: TransportError.self) { try PinnedHost(name, pins: [Self.leaf]) }
        #expect(throws: TransportError.self) {
            try PinnedHost("example.com", excludedSubdomains: [name], pins: [Self.leaf])
        }
    }
}
