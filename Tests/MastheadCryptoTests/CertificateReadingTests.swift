import Foundation
import MastheadCrypto
import Testing

@Suite("Reading certificates")
struct CertificateReadingTests {
    private let authority: CertificateAuthority
    private let leaf: Identity

    init() throws {
        authority = try CertificateAuthority(name: "Reading Authority")
        leaf = try authority.issue(names: ["reader.example"], addresses: ["127.0.0.1"])
    }

    @Test("takes DER and PEM for what they are, and all that a PEM text holds")
    func reads() throws {
        let der = try leaf.certificate.der()
        let pem = try leaf.certificate.pem()
        let both = "A note before it\n" + pem + "and between\n" + (try authority.certificate.pem())

        #expect(try Certificate.certificates(in: der).map { try $0.der() } == [der])
        #expect(try Certificate.certificates(in: Array(pem.utf8)).map { try $0.der() } == [der])
        #expect(
            try Certificate.certificates(in: Array(both.utf8)).map(\.subject) == [
                "CN=reader.example", "CN=Reading Authority",
            ]
        )
    }

    @Test("refuses what is none, what is cut, what has something behind it, and a key beside it")
    func refuses() throws {
        let der = try leaf.certificate.der()
        let pem = try leaf.certificate.pem()
        let wrong: [[UInt8]] = [
            [], Array("no certificate".utf8), Array(der.dropLast()), der + [0], [UInt8](repeating: 0x30, count: 500),
            Array(pem.utf8.dropLast(40)), Array(pem.replacing("MII", with: "!!!").utf8),
            Array((pem + (try leaf.key.pem())).utf8), Array((try leaf.key.pem()).utf8),
            Array((pem + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").utf8),
        ]
        for (index, bytes) in wrong.enumerated() {
            #expect(throws: CryptoError.self, "\(index)") { try Certificate.certificates(in: bytes) }
        }
    }

    @Test("names a key that is where a certificate should be")
    func namesKey() throws {
        let error = #expect(throws: CryptoError.self) {
            try Certificate.certificates(in: Array((try leaf.key.pem()).utf8))
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("PRIVATE KEY"))
    }

    @Test("digests the key and its algorithm as the openssl command does", .enabled(if: OpenSSLCommand.isThere))
    func digests() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "leaf.pem").path
        try leaf.certificate.pem().write(toFile: file, atomically: true, encoding: .utf8)

        let key = try OpenSSLCommand.digest(
            "openssl x509 -in \(file) -noout -pubkey | openssl pkey -pubin -outform der"
        )
        let whole = try OpenSSLCommand.digest("openssl x509 -in \(file) -outform der")

        #expect(try Digest.sha256([]).hexadecimal.count == key.count)
        #expect(try leaf.certificate.publicKeyDigest().map { String(format: "%02x", $0) }.joined() == key)
        #expect(try leaf.certificate.digest().map { String(format: "%02x", $0) }.joined() == whole)
    }

    @Test("says whose it is, whom it is for and how long")
    func describes() throws {
        let certificate = leaf.certificate
        let now = Int(Date().timeIntervalSince1970)

        #expect(certificate.subject == "CN=reader.example" && certificate.issuer == "CN=Reading Authority")
        #expect(!certificate.isSelfIssued && authority.certificate.isSelfIssued)
        #expect(certificate.isFor("reader.example") && certificate.isFor("127.0.0.1"))
        #expect(
            !certificate.isFor("example") && !certificate.isFor("127.0.0.2") && !certificate.isFor("a.reader.example")
        )
        #expect(try #require(certificate.end) > now + 80_000 && certificate.end ?? 0 < now + 90_000)
    }

    @Test("escapes what a name must not do to a terminal or a line")
    func escapesNames() throws {
        let hostile = try CertificateAuthority(name: "Evil\n\u{1B}[31m, CN=Good é")

        let subject = hostile.certificate.subject

        #expect(subject.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(subject)")
        #expect(subject.contains("\\,"))
    }
}

/// The command that everybody computes pins with.
private enum OpenSSLCommand {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    /// The SHA-256 digest of what a command writes, in hexadecimal.
    static func digest(_ command: String) throws -> String {
        let text = try shell(command + " | openssl dgst -sha256 -r").output
        return String(text.prefix { $0 != " " })
    }
}
