import FoundationEssentials
import Glibc
import MastheadTransport
import Testing

/// Hosts that cannot be reached, told apart by what libcurl and the system say and not only by what we make of it.
@Suite(.timeLimit(.minutes(1)))
struct UnreachableTests {
    @Test("tells a name that has no address")
    func tellsName() async throws {
        // No name server is asked for it: a label has at most 63 letters (RFC 1035, section 2.3.4).
        let host = String(repeating: "a", count: 64) + ".example"
        let error = await #expect(throws: TransportError.self) {
            try await Transport().perform(TransportRequest(url: "http://\(host)/"))
        }
        // A machine that is on no network has another reason.
        #expect(error == .dns(host: host) || error == .noNetwork)
    }

    @Test(
        "tells a machine without a network, for names and for addresses",
        .enabled(if: PrivateView.isAllowed, "needs the right to leave the machine's network")
    )
    func tellsNoNetwork() async {
        await #expect(processExitsWith: .success) {
            alarm(50)
            for url in ["http://name.example/", "http://192.0.2.1/", "http://[2001:db8::1]/"] {
                let transport = Transport.alone()
                let call = Task {
                    // Holds for the loop's thread too, which this one starts.
                    try PrivateView.enter(.network)
                    return try await transport.perform(TransportRequest(url: url))
                }
                let result = await call.result
                try #require(throws: TransportError.noNetwork) { try result.get() }
            }
        }
    }
}
