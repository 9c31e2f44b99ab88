import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

@Suite("The validity of pins")
struct PinningValidityTests {
    typealias Host = CertificatePinning.Host

    private func configuration(
        of domain: String = "api.example.com",
        _ change: (inout NetworkingConfiguration) -> Void
    ) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: domain, change)
    }

    @Test("pinning case 44: wants two pins, unless the app says otherwise or nothing is enforced")
    func singlePin() {
        let one = [SomePins.text(1)]

        #expect(configuration { $0.pinning = .publicKeys(SomePins.two) }.invalidity == nil)
        #expect(configuration { $0.pinning = .publicKeys(one) }.invalidity?.contains("allowsSinglePin") == true)
        #expect(configuration { $0.pinning = .publicKeys(one) { $0.isEnforced = false } }.invalidity == nil)
        let allowed = configuration {
            $0.pinning = .publicKeys(one)
            $0.pinning?.allowsSinglePin = true
        }
        #expect(allowed.invalidity == nil)
    }

    @Test("pinning case 44: refuses what pins nothing, or not what was meant, and says so")
    func refuses() {
        let pins = CertificatePinning.Pins.publicKeys(SomePins.two)
        let cases: [(String, (inout NetworkingConfiguration) -> Void)] = [
            ("no pins", { $0.pinning = .publicKeys([]) }),
            ("there is no host", { $0.pinning = CertificatePinning(hosts: []) }),
            (
                "pin 2 of api.example.com is there twice",
                { $0.pinning = .publicKeys([SomePins.text(1), SomePins.text(1)]) }
            ),
            (
                "api.example.com is there twice",
                {
                    $0.pinning = CertificatePinning(hosts: [Host(pins), Host("API.example.com.", pins)])
                }
            ),
            (
                "com has one label",
                {
                    $0.pinning = CertificatePinning(hosts: [Host("com", pins) { $0.includesSubdomains = true }])
                }
            ),
            (
                "127.0.0.1 is an address",
                {
                    $0.pinning = CertificatePinning(hosts: [Host("127.0.0.1", pins) { $0.includesSubdomains = true }])
                }
            ),
            ("no host's name", { $0.pinning = CertificatePinning(hosts: [Host("https://example.com", pins)]) }),
            ("no host's name", { $0.pinning = CertificatePinning(hosts: [Host("*.example.com", pins)]) }),
            ("no host's name", { $0.pinning = CertificatePinning(hosts: [Host("", pins)]) }),
            (
                "other.org is excluded from example.com",
                {
                    $0.pinning = CertificatePinning(hosts: [
                        Host("example.com", pins) {
                            $0.includesSubdomains = true
                            $0.excludedSubdomains = ["other.org"]
                        }
                    ])
                }
            ),
            (
                "a.example.com is excluded from example.com",
                {
                    $0.pinning = CertificatePinning(hosts: [
                        Host("example.com", pins) { $0.excludedSubdomains = ["a.example.com"] }
                    ])
                }
            ),
            (
                "useSecureConnection",
                {
                    $0.pinning = .publicKeys(SomePins.two)
                    $0.useSecureConnection = false
                }
            ),
            (
                "set one of",
                {
                    $0.pinning = .publicKeys(SomePins.two)
                    $0.usePinningCertificate = true
                }
            ),
            (
                "set one of",
                {
                    $0.replaceablePinning = ReplaceablePinning(.publicKeys(SomePins.two))
                    $0.pinning = .publicKeys(SomePins.two)
                }
            ),
            (
                "dangerouslyTrustsAnyCertificate",
                {
                    $0.pinning = .publicKeys(SomePins.two)
                    $0.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true
                }
            ),
            ("is not there", { $0.pinning = .certificates(in: "/nonexistent/pins") }),
            (
                "clientIdentity: /nonexistent/a.p12 is not there",
                { $0.tls.clientIdentity = .pkcs12(file: "/nonexistent/a.p12") }
            ),
        ]
        for (expected, change) in cases {
            let reason = configuration(change).invalidity
            #expect(reason?.contains(expected) == true, "\(expected): \(reason ?? "accepted")")
        }
    }

    @Test(
        "refuses a reports' address that is not plain https",
        arguments: [
            "http://reports.example", "https://user@reports.example", "https://reports.example/?a=1", "reports.example",
            "https://reports.example/#x", "", "https://", "https://reports.example/a b", "file:///tmp/x",
        ]
    )
    func refusesReportURI(text: String) {
        let configuration = configuration {
            $0.pinning = .publicKeys(SomePins.two)
            $0.pinning?.reportURI = text
        }

        #expect(configuration.invalidity?.hasPrefix("pinning: reportURI") == true, "\(configuration.invalidity ?? "")")
    }

    @Test("pinning case 44: lets a call of invalid pins send nothing")
    func sendsNothing() async throws {
        let executor = ClosureExecutor(answers: [.answer(200)])
        let repository = AbstractRepository(
            configuration: configuration { $0.pinning = .publicKeys([SomePins.text(1)]) },
            executor: executor
        )

        guard case .invalidConfiguration(let reason)? = await repository.perform(Request<Void>.get("volumes")).failure
        else {
            Issue.record("it was sent")
            return
        }
        #expect(reason.contains("one pin alone"))
        #expect(executor.requests.isEmpty)
    }

    @Test("pinning cases 36 to 39: takes all spellings of a host for one, and the longest name alone")
    func matches() throws {
        let configuration = configuration(of: "BÜCHER.example.") {
            $0.pinning = CertificatePinning(hosts: [
                Host(.publicKeys(SomePins.two)),
                Host("Example.com", .publicKeys(SomePins.two)) {
                    $0.includesSubdomains = true
                    $0.excludedSubdomains = ["C.example.com"]
                },
                Host("child.example.com", .publicKeys(SomePins.otherTwo)) { $0.isEnforced = false },
                Host("::1", .publicKeys(SomePins.otherTwo)),
            ])
        }
        let policy = try #require(try configuration.policy)

        for name in ["bücher.example", "xn--bcher-kva.example", "XN--BCHER-KVA.EXAMPLE."] {
            #expect(policy.host(for: name)?.name == "xn--bcher-kva.example", "\(name)")
        }
        for name in ["example.com", "EXAMPLE.com.", "a.b.example.com"] {
            #expect(policy.host(for: name)?.name == "example.com", "\(name)")
        }
        for name in ["evil-example.com", "example.com.evil.org", "c.example.com", "d.c.example.com", "com"] {
            #expect(policy.host(for: name) == nil, "\(name)")
        }
        #expect(policy.host(for: "child.example.com")?.pins.count == 2)
        #expect(policy.host(for: "child.example.com")?.isEnforced == false)
        #expect(policy.host(for: "[0:0::1]")?.name == "::1")
        #expect(policy.allowsUnpinnedHosts)
    }

    @Test("shares one policy between repositories, and one between equal configurations")
    func sharesPolicy() throws {
        let first = configuration { $0.pinning = .publicKeys(SomePins.two) }
        let second = configuration { $0.pinning = .publicKeys(SomePins.two) }
        let reporting = configuration {
            $0.pinning = .publicKeys(SomePins.two)
            $0.pinning?.onEvent = { _ in }
        }
        let copy = reporting

        #expect(try first.makeTrust() == second.makeTrust())
        #expect(try reporting.makeTrust() == copy.makeTrust())
        #expect(try reporting.makeTrust() != first.makeTrust())
    }

    @Test("tells the logger of pins that end soon, and of certificates that are not checked")
    func warns() {
        let lines = Lock<[String]>([])
        let clock = ManualClock()
        let soon = configuration {
            $0.pinning = .publicKeys(SomePins.two) { $0.expiry = clock.date + 29 * 86_400 }
            $0.time = clock
            $0.logger = RequestLogger(level: .errors) { line in lines.withLock { $0.append(line) } }
        }
        _ = AbstractRepository(configuration: soon)
        let later = configuration {
            $0.pinning = .publicKeys(SomePins.two) { $0.expiry = clock.date + 31 * 86_400 }
            $0.time = clock
            $0.logger = RequestLogger(level: .errors) { line in lines.withLock { $0.append(line) } }
        }
        _ = AbstractRepository(configuration: later)
        let unchecked = configuration(of: "127.0.0.1") {
            $0.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks = true
            $0.logger = RequestLogger(level: .errors) { line in lines.withLock { $0.append(line) } }
        }
        _ = AbstractRepository(configuration: unchecked)

        #expect(lines.withLock { $0 }.count == 2, "\(lines.withLock { $0 })")
        #expect(lines.withLock { $0 }.first?.contains("the pins of api.example.com expire in 29 days") == true)
        #expect(lines.withLock { $0 }.last?.contains("NO CERTIFICATE IS CHECKED") == true)
    }
}
