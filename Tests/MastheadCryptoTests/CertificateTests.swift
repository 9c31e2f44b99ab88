import Foundation
import MastheadCrypto
import Testing

@Suite("CertificateAuthority")
struct CertificateTests {
    @Test("issues what the openssl tool verifies, for its names and no other")
    func verifies() throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue(names: ["localhost", "*.example.com"], addresses: ["127.0.0.1", "::1"])
        let folder = try Folder(["ca.pem": authority.certificate.pem(), "leaf.pem": identity.certificate.pem()])

        func verify(_ options: String...) throws -> Bool {
            try openssl(
                ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", folder.file("ca.pem")] + options + [
                    folder.file("leaf.pem")
                ]
            ).status == 0
        }
        #expect(try verify("-verify_hostname", "localhost"))
        #expect(try verify("-verify_hostname", "media.example.com"))
        #expect(try verify("-verify_ip", "127.0.0.1"))
        #expect(try verify("-verify_ip", "::1"))
        #expect(try !verify("-verify_hostname", "example.org"))
        #expect(try !verify("-verify_ip", "127.0.0.2"))

        let other = try CertificateAuthority()
        let stranger = try Folder(["ca.pem": other.certificate.pem()])
        #expect(try openssl(["verify", "-CAfile", stranger.file("ca.pem"), folder.file("leaf.pem")]).status != 0)
    }

    @Test("issues certificates that do not hold now", arguments: [CertificateAuthority.Validity.expired, .future])
    func validity(validity: CertificateAuthority.Validity) throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue(names: ["localhost"], validity: validity)
        let folder = try Folder(["ca.pem": authority.certificate.pem(), "leaf.pem": identity.certificate.pem()])
        let result = try openssl(["verify", "-CAfile", folder.file("ca.pem"), folder.file("leaf.pem")])
        #expect(result.status != 0)
        #expect(
            result.output.contains(validity == .expired ? "certificate has expired" : "certificate is not yet valid")
        )
    }

    @Test("gives each certificate a key and a number of its own")
    func differs() throws {
        let authority = try CertificateAuthority()
        let first = try authority.issue(names: ["localhost"])
        let second = try authority.issue(names: ["localhost"])
        #expect(try first.key.pem() != second.key.pem())
        #expect(try first.key.pem().hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let serials = try [first, second].map { identity in
            let folder = try Folder(["leaf.pem": identity.certificate.pem()])
            return try openssl(["x509", "-noout", "-serial", "-in", folder.file("leaf.pem")]).output
        }
        #expect(serials[0] != serials[1])
    }

    @Test(
        "refuses names that would be something else in the certificate",
        arguments: [
            "", "a b", "a,DNS:evil.example", "a..b", "*", "a.*.b", "a\nb", "b\u{FC}cher.example",
            String(repeating: "a", count: 64),
        ]
    )
    func refusesName(name: String) throws {
        let authority = try CertificateAuthority()
        #expect(throws: CryptoError.invalidInput("\"\(name)\" is no DNS name")) { try authority.issue(names: [name]) }
    }

    @Test("refuses addresses that are none", arguments: ["", "300.1.1.1", "1.2.3", "::g", "127.0.0.1,DNS:evil", ":"])
    func refusesAddress(address: String) throws {
        let authority = try CertificateAuthority()
        #expect(throws: CryptoError.invalidInput("\"\(address)\" is no IP address")) {
            try authority.issue(names: ["localhost"], addresses: [address])
        }
    }

    @Test("refuses a certificate for nobody")
    func refusesNobody() throws {
        let authority = try CertificateAuthority()
        #expect(throws: CryptoError.invalidInput("a certificate needs a name or an address")) {
            try authority.issue(names: [])
        }
    }

    @Test("refuses a server's key that is not its certificate's")
    func refusesForeignKey() throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue(names: ["localhost"])
        let foreign = Identity(certificate: identity.certificate, key: try .p256(), issuer: nil)
        #expect(
            throws: CryptoError.openSSL(function: "SSL_CTX_use_PrivateKey", reason: "key values mismatch")
        ) { try TLSServerContext(foreign) }
    }
}
