import MastheadNetworking
import Testing

@Suite("A mismatch of pins")
struct PinMismatchTests {
    @Test("gives each pin a line of its own, to be pasted")
    func lines() {
        let mismatch = PinMismatch(
            host: "api.example.com",
            port: 8443,
            expected: ["sha256/A", "sha256/B"],
            served: ["sha256/C CN=api.example.com"],
            built: ["sha256/C CN=api.example.com", "sha256/D CN=Authority"]
        )

        #expect(
            "\(mismatch)" == """
                no certificate of api.example.com:8443 is pinned
                expected one of
                  sha256/A
                  sha256/B
                built from what the server sent
                  sha256/C CN=api.example.com
                  sha256/D CN=Authority
                """
        )
    }

    @Test("names what was sent too, if it is not what was built")
    func sentMore() {
        let mismatch = PinMismatch(
            host: "api.example.com",
            expected: ["sha256/A"],
            served: ["sha256/C CN=api.example.com", "sha256/A CN=Real"],
            built: ["sha256/C CN=api.example.com", "sha256/E CN=Evil"]
        )

        #expect(
            "\(mismatch)" == """
                no certificate of api.example.com:443 is pinned
                expected one of
                  sha256/A
                the server sent
                  sha256/C CN=api.example.com
                  sha256/A CN=Real
                built from what the server sent
                  sha256/C CN=api.example.com
                  sha256/E CN=Evil
                """
        )
    }

    @Test("names what was sent where no chain was verified, and nothing where there is nothing")
    func withoutChain() {
        let mismatch = PinMismatch(host: "h", expected: ["sha256/A"], served: ["sha256/D CN=d"])

        #expect("\(mismatch)".hasSuffix("the server sent\n  sha256/D CN=d"))
        #expect("\(PinMismatch(host: "h", expected: []))" == "no certificate of h:443 is pinned")
    }
}
