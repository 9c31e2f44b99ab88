import FoundationEssentials
import MastheadCrypto
import MastheadNetworking
import MastheadTransport
import Testing

@Suite("Loading trust from a file and from variables")
struct TrustLoadingTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func load(
        _ json: String,
        _ variables: [String: String] = [:],
        _ defaults: (inout NetworkingConfiguration) -> Void = { _ in }
    ) throws -> NetworkingConfiguration {
        let path = try folder.file("masthead.json", Data(#"{"domainURL": "api.example.com", \#(json)}"#.utf8))
        return try NetworkingConfiguration(contentsOf: path, environment: variables, defaults)
    }

    private func refusal(_ json: String, _ variables: [String: String] = [:]) -> String {
        do {
            _ = try load(json, variables)
            return "accepted"
        } catch {
            return "\(error)"
        }
    }

    @Test("takes the pins of the own host and of others, certificates from beside the file")
    func pins() throws {
        let authority = try CertificateAuthority()
        try FileManager.default.createDirectory(atPath: folder.path("pins"), withIntermediateDirectories: true)
        _ = try folder.file("pins/a.pem", Data(authority.certificate.pem().utf8))
        let configuration = try load(
            #"""
            "pinning": {
                "publicKeys": ["\#(SomePins.text(1))", "\#(SomePins.text(2))"], "includesSubdomains": true,
                "excludedSubdomains": ["status.api.example.com"], "expiry": "2099-01-01", "failsWhenExpired": true,
                "allowsUnpinnedHosts": false, "allowsSinglePin": true, "reportURI": "https://reports.example/pins",
                "stateFolder": "state",
                "hosts": {"media.example.net": {"certificates": "pins", "comparing": "certificate", "isEnforced": false}}
            }
            """#
        )
        let policy = try #require(try configuration.policy)

        let own = try #require(policy.host(for: "a.api.example.com"))
        #expect(own.pins.count == 2 && own.failsWhenExpired && own.isEnforced)
        #expect(own.expiry == Date(timeIntervalSince1970: 4_070_908_800))
        #expect(policy.host(for: "status.api.example.com") == nil && !policy.allowsUnpinnedHosts)
        let media = try #require(policy.host(for: "media.example.net"))
        #expect(try media.pins == [.certificate(authority.certificate.digest())] && !media.isEnforced)
        #expect(configuration.pinning?.reportURI == "https://reports.example/pins")
        #expect(configuration.pinning?.stateFolder == folder.path("state"))
    }

    @Test("keeps what code alone can say, and lets a variable win")
    func order() throws {
        let json = #""pinning": {"publicKeys": ["\#(SomePins.text(1))", "\#(SomePins.text(2))"]}"#
        let variables = [
            "MASTHEAD_PINNING": #"{"publicKeys": ["\#(SomePins.text(3))", "\#(SomePins.text(4))"]}"#
        ]
        let configuration = try load(json, variables) {
            $0.pinning = CertificatePinning(hosts: [])
            $0.pinning?.onEvent = { _ in }
            $0.pinning?.reportURI = "https://reports.example/pins"
        }

        #expect(configuration.pinning?.onEvent != nil)
        #expect(configuration.pinning?.reportURI == "https://reports.example/pins")
        #expect(Set(try configuration.policy?.hosts.first?.pins.compactMap(\.digest.first) ?? []) == [3, 4])
        let without = try load(#""pinning": null"#) { $0.pinning = .publicKeys(SomePins.two) }
        #expect(without.pinning == nil)
    }

    @Test(
        "refuses what it does not know, without the value",
        arguments: [
            #""pinning": {"publicKeys": "one", "x": "hidden"}"#, #""pinning": ["hidden"]"#,
            #""pinning": {"publicKeys": ["a"], "certificates": "hidden"}"#,
            #""pinning": {"hosts": {"hidden.example": {"publicKeys": ["a"], "reportURI": "hidden"}}}"#,
            #""pinning": {"publicKeys": ["a"], "expiry": "hidden"}"#,
            #""pinning": {"publicKeys": ["a"], "includeSubdomains": true}"#,
            #""pinning": {"certificates": "hidden", "comparing": "hidden"}"#,
            #""tls": {"minimumVersion": "1.1"}"#, #""tls": {"stapledStatus": "hidden"}"#,
            #""tls": {"dangerouslyTrustsAnyCertificateOnPrivateNetworks": true}"#,
            #""tls": {"clientIdentity": {"certificateFile": "hidden"}}"#,
            #""tls": {"clientIdentity": {"pkcs12File": 1}}"#,
            #""usePinningCertificate": "hidden""#,
        ]
    )
    func refuses(json: String) {
        let text = refusal(json)

        #expect(text.contains("expected"), "\(text)")
        #expect(!text.contains("hidden"), "\(text)")
    }

    @Test("says what is wrong with pins as it does with those of the code")
    func invalidPins() {
        #expect(refusal(#""pinning": {"publicKeys": ["\#(SomePins.text(1))"]}"#).contains("one pin alone"))
        #expect(refusal(#""pinning": {"allowsSinglePin": true}"#).contains("there is no host"))
        #expect(refusal(#""usePinningCertificate": true"#).contains("usePinningCertificate"))
        #expect(
            refusal("\"timeout\": 1", ["MASTHEAD_USE_PINNING_CERTIFICATE": "yes"]).contains("usePinningCertificate")
        )
    }

    @Test("takes how TLS is spoken, and a client's identity from beside the file, whose passphrase nothing shows")
    func tls() throws {
        _ = try folder.file("id.pem", Data("PEM".utf8))
        _ = try folder.file("id.p12", Data("P12".utf8))
        let pem = try load(
            #"""
            "tls": {"minimumVersion": "1.3", "stapledStatus": "required",
                    "clientIdentity": {"certificateFile": "id.pem", "keyFile": "id.pem", "passphrase": "open sesame"}}
            """#
        )
        let trust = try pem.makeTrust()
        let identity = try #require(trust.tls.clientIdentity)

        #expect(pem.tls.minimumVersion == .tls13 && trust.tls.minimumVersion == .tls13)
        #expect(trust.tls.stapling == .required)
        #expect(
            identity
                == TLSClientIdentity(
                    .pem(certificates: Array("PEM".utf8), key: Array("PEM".utf8)),
                    passphrase: "open sesame"
                )
        )
        var dumped = ""
        dump(pem, to: &dumped)
        #expect(!dumped.contains("open sesame") && dumped.contains("id.pem"))

        let pkcs12 = try load(
            #""tls": {"clientIdentity": {"pkcs12File": "id.p12"}}"#,
            ["MASTHEAD_TLS": #"{"minimumVersion": "1.2"}"#]
        )
        #expect(try pkcs12.makeTrust().tls.clientIdentity == TLSClientIdentity(.pkcs12(Array("P12".utf8))))
        let none = try load(#""tls": {"clientIdentity": null}"#) {
            $0.tls.clientIdentity = .pkcs12(file: "/nonexistent")
        }
        #expect(none.tls.clientIdentity == nil)
    }
}
