import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Redirects are requests of their own.
@Suite("Pinning cases 31 and 32: redirects", .timeLimit(.minutes(1)))
struct RedirectPinCases {
    private let root: CertificateAuthority
    private let first: PinnedSite
    private let second: PinnedSite
    private let firstPin: Pin
    private let secondPin: Pin

    init() throws {
        root = try CertificateAuthority(name: "Root")
        let (a, b) = (try root.issue(names: ["a.test"]), try root.issue(names: ["b.test"]))
        firstPin = try a.pin
        secondPin = try b.pin
        first = try PinnedSite(
            a,
            trusting: [root.certificate],
            respond: { _ in .redirect(to: "https://b.test/there", status: 307) }
        )
        second = try PinnedSite(b, trusting: [root.certificate])
    }

    private func repository(_ hosts: [CertificatePinning.Host], allowsUnpinnedHosts: Bool) -> AbstractRepository {
        let configuration = NetworkingConfiguration(domainURL: "a.test") {
            $0.certificateAuthorityFile = first.tls.authorityPath
            $0.route.addresses = ["a.test": "127.0.0.1:\(first.port)", "b.test": "127.0.0.1:\(second.port)"]
            var pinning = CertificatePinning(hosts: hosts)
            pinning.allowsSinglePin = true
            pinning.allowsUnpinnedHosts = allowsUnpinnedHosts
            $0.pinning = pinning
        }
        return AbstractRepository(
            configuration: configuration,
            defaultHeaders: ["Authorization": "s3cret", "Cookie": "s3cret", "X-Api-Key": "s3cret", "X-Plain": "plain"]
        )
    }

    @Test("pinning case 31: a pinned host redirects to one without pins, which is allowed: no secret goes along")
    func unpinnedAllowed() async throws {
        let repository = repository([.init("a.test", .publicKeys([firstPin.text]))], allowsUnpinnedHosts: true)
        let response = try await repository.performRaw(.put("start", body: .text("s3cret?"))).get()
        #expect(response.text == "/there")
        let request = try await second.server.request(0)
        #expect(!request.headers.fields.contains { $0.value.contains("s3cret") })
        #expect(request.headers["X-Plain"] == "plain")
        #expect(try await first.server.request(0).headers["X-Api-Key"] == "s3cret")
    }

    @Test("pinning case 31: a pinned host redirects to one without pins, which is not allowed: nothing is sent there")
    func unpinnedRefused() async throws {
        let repository = repository([.init("a.test", .publicKeys([firstPin.text]))], allowsUnpinnedHosts: false)
        guard case .failure(.pinMismatch(let mismatch)) = await repository.performRaw(.put("start", body: .text("x")))
        else {
            Issue.record("expected a mismatch")
            return
        }
        #expect(mismatch.host == "b.test")
        #expect(mismatch.expected.isEmpty)
        #expect(first.server.requests.count == 1)
        #expect(second.receivedBytes == 0)
    }

    @Test(
        "pinning case 32: a redirect to a host whose key is not the pinned one ends at the second hop",
        arguments: [false, true]
    )
    func wrongKey(isRight: Bool) async throws {
        let nobody = try Pin.ofNobody
        let repository = repository(
            [
                .init("a.test", .publicKeys([firstPin.text])),
                .init("b.test", .publicKeys([isRight ? secondPin.text : nobody.text])),
            ],
            allowsUnpinnedHosts: false
        )
        let result = await repository.performRaw(.put("start", body: .text("x")))
        #expect(first.server.requests.count == 1)
        guard !isRight else {
            #expect(try result.get().text == "/there")
            return
        }
        guard case .failure(.pinMismatch(let mismatch)) = result else {
            Issue.record("got \(result)")
            return
        }
        #expect(mismatch.host == "b.test")
        #expect(mismatch.expected == [nobody.text])
        #expect(second.receivedBytes == 0)
        #expect(second.server.requests.isEmpty)
    }
}
