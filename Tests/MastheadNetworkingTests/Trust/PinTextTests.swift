import FoundationEssentials
import MastheadNetworking
import MastheadTransport
import Testing

@Suite("A pin's text")
struct PinTextTests {
    private static let digest = Data((0..<32).map { UInt8($0) * 7 &+ 3 })
    private static let base64 = digest.base64EncodedString()
    private static let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

    private func configuration(_ pins: [String]) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "api.example.com") { $0.pinning = .publicKeys(pins) }
    }

    @Test("may be base64 with or without its name, or hexadecimal in both cases: one pin")
    func forms() throws {
        let other = SomePins.text(9)
        let texts = [
            "sha256/\(Self.base64)", "sha256//\(Self.base64)", Self.base64, Self.hexadecimal,
            Self.hexadecimal.uppercased(), "sha256/\(Self.hexadecimal)",
        ]
        for text in texts {
            let policy = try #require(try configuration([text, other]).policy)
            #expect(policy.hosts.first?.pins.contains(.publicKey(Array(Self.digest))) == true, "\(text)")
        }
    }

    @Test("may begin with the slash that stands before it, too", arguments: ["sha256/", "sha256//", ""])
    func leadingSlash(name: String) throws {
        let digest = [UInt8](repeating: 0xFF, count: 32)
        let text = name + Data(digest).base64EncodedString()

        let policy = try #require(try configuration([text, SomePins.text(1)]).policy)

        #expect(policy.hosts.first?.pins.contains(.publicKey(digest)) == true, "\(text)")
    }

    @Test("pinning case 49: in another letter case is another pin")
    func letterCase() throws {
        let upper = SomePins.text(1)
        let lower = "sha256/" + String(upper.dropFirst(7).dropLast(4)).lowercased() + String(upper.suffix(4))
        try #require(upper != lower)

        let policy = try #require(try configuration([upper, lower]).policy)

        #expect(policy.hosts.first?.pins.count == 2)
    }

    @Test(
        "pinning case 44: that is no digest of SHA-256 is refused, with its place and what is wrong",
        arguments: [
            ("sha256/" + Data(repeating: 1, count: 31).base64EncodedString(), "31 bytes"),
            ("sha256/" + Data(repeating: 1, count: 33).base64EncodedString(), "33 bytes"),
            ("", "is empty"), ("sha256/", "is empty"), ("sha256/!", "neither"),
            ("sha1/" + Data(repeating: 1, count: 20).base64EncodedString(), "another name"),
            (String(SomePins.text(1).dropLast()), "neither"),
            // The last digit before the padding says two bits that no byte takes.
            ("sha256/" + String(SomePins.text(0).dropLast(2)) + "B=", "neither"),
            (String(repeating: "ab", count: 31), "neither"), (" " + SomePins.text(1), "neither"),
        ]
    )
    func refuses(text: String, reason: String) throws {
        let invalidity = try #require(configuration([SomePins.text(5), text]).invalidity)

        #expect(invalidity.hasPrefix("pinning: pin 2 of api.example.com"), "\(invalidity)")
        #expect(invalidity.contains(reason), "\(invalidity)")
    }
}
