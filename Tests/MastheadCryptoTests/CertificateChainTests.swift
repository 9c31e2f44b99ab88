import Foundation
import MastheadCrypto
import Testing

/// Chains as the openssl tool judges them.
@Suite("CertificateAuthority's chains")
struct CertificateChainTests {
    private func verify(
        _ leaf: Certificate,
        trusting trusted: [Certificate],
        beside untrusted: [Certificate] = [],
        _ options: String...
    ) throws -> (status: Int32, output: String) {
        let folder = try Folder([
            "ca.pem": trusted.map { try $0.pem() }.joined(),
            "more.pem": untrusted.map { try $0.pem() }.joined(),
            "leaf.pem": leaf.pem(),
        ])
        let more = untrusted.isEmpty ? [] : ["-untrusted", folder.file("more.pem")]
        return try openssl(
            ["verify", "-show_chain", "-CAfile", folder.file("ca.pem")] + more + options + [folder.file("leaf.pem")]
        )
    }

    /// What a certificate says of itself.
    private func text(of certificate: Certificate, _ options: String...) throws -> String {
        let folder = try Folder(["one.pem": certificate.pem()])
        return try openssl(["x509", "-noout", "-in", folder.file("one.pem")] + options).output
    }

    @Test("an intermediate leads to its root, and is needed")
    func intermediate() throws {
        let root = try CertificateAuthority(name: "Root")
        let middle = try root.intermediate(name: "Middle")
        let leaf = try middle.issue(names: ["localhost"]).certificate
        let whole = try verify(leaf, trusting: [root.certificate], beside: [middle.certificate], "-x509_strict")
        #expect(whole.status == 0)
        #expect(whole.output.contains("CN = Middle") && whole.output.contains("CN = Root"))
        #expect(try verify(leaf, trusting: [root.certificate]).output.contains("unable to get local issuer"))
    }

    @Test("a cross-signed root leads to the older one, with the same key")
    func crossSigned() throws {
        let old = try CertificateAuthority(name: "Old")
        let new = try CertificateAuthority(name: "New")
        let crossed = try old.crossSign(new)
        #expect(try crossed.publicKeyDER() == new.certificate.publicKeyDER())
        let leaf = try new.issue(names: ["localhost"]).certificate
        let chain = try verify(leaf, trusting: [old.certificate], beside: [crossed])
        #expect(chain.status == 0)
        #expect(chain.output.contains("CN = Old"))
        #expect(try verify(leaf, trusting: [new.certificate]).status == 0)
    }

    @Test("an intermediate of the same name and another key vouches for nothing of the first")
    func rogue() throws {
        let root = try CertificateAuthority(name: "Root")
        let middle = try root.intermediate(name: "Middle")
        let evil = try CertificateAuthority(name: "Evil")
        let rogue = try evil.intermediate(name: "Middle")
        let leaf = try rogue.issue(names: ["localhost"]).certificate
        #expect(try text(of: rogue.certificate, "-subject") == text(of: middle.certificate, "-subject"))
        #expect(try verify(leaf, trusting: [root.certificate], beside: [middle.certificate]).status != 0)
        #expect(try verify(leaf, trusting: [evil.certificate], beside: [rogue.certificate]).status == 0)
    }

    @Test("what is no authority, or has one too many below it, is refused for that")
    func constraints() throws {
        let root = try CertificateAuthority()
        let switching = try root.intermediate(name: "Switch", isAuthority: false)
        let issued = try switching.issue(names: ["localhost"]).certificate
        #expect(
            try verify(issued, trusting: [root.certificate], beside: [switching.certificate]).output
                .contains("invalid CA certificate")
        )

        let narrow = try root.intermediate(name: "Narrow", pathLength: 0)
        let below = try narrow.intermediate(name: "Below")
        let deep = try below.issue(names: ["localhost"]).certificate
        #expect(
            try verify(deep, trusting: [root.certificate], beside: [narrow.certificate, below.certificate]).output
                .contains("path length constraint exceeded")
        )
        let direct = try narrow.issue(names: ["localhost"]).certificate
        #expect(try verify(direct, trusting: [root.certificate], beside: [narrow.certificate]).status == 0)
    }

    @Test("an intermediate holds as long as it is told")
    func validity() throws {
        let root = try CertificateAuthority()
        let middle = try root.intermediate(validity: .expired)
        let leaf = try middle.issue(names: ["localhost"]).certificate
        #expect(
            try verify(leaf, trusting: [root.certificate], beside: [middle.certificate]).output
                .contains("certificate has expired")
        )
        let renewed = try root.intermediate(key: middle.key)
        #expect(try verify(leaf, trusting: [root.certificate], beside: [renewed.certificate]).status == 0)
    }

    @Test("each sort of key signs and is signed for", arguments: PrivateKey.Kind.allCases)
    func keys(kind: PrivateKey.Kind) throws {
        let root = try CertificateAuthority(key: .make(kind))
        let leaf = try root.issue(names: ["localhost"], key: .make(kind)).certificate
        #expect(try verify(leaf, trusting: [root.certificate], beside: [], "-x509_strict").status == 0)
        let name =
            switch kind {
            case .p256: "(256 bit)"
            case .p521: "(521 bit)"
            case .rsa2048: "(2048 bit)"
            case .ed25519: "ED25519"
            }
        #expect(try text(of: leaf, "-text").contains(name))
        let folder = try Folder(["leaf.pem": leaf.pem()])
        #expect(
            try openssl(["x509", "-pubkey", "-noout", "-in", folder.file("leaf.pem")]).output
                .split(separator: "\n").dropFirst().dropLast().joined()
                == Data(leaf.publicKeyDER()).base64EncodedString()
        )
    }

    @Test("a renewed certificate has the key of the first, and is another")
    func renewal() throws {
        let authority = try CertificateAuthority()
        let first = try authority.issue(names: ["localhost"])
        let second = try authority.issue(names: ["localhost"], key: first.key)
        #expect(try first.certificate.publicKeyDER() == second.certificate.publicKeyDER())
        #expect(try first.certificate.der() != second.certificate.der())
    }

    @Test("a certificate that its own key signed is trusted by who trusts it, and by nobody else")
    func selfSigned() throws {
        let leaf = try CertificateAuthority.selfSigned(names: ["localhost"], addresses: ["::1"]).certificate
        let stranger = try CertificateAuthority().certificate
        #expect(try verify(leaf, trusting: [leaf], beside: [], "-verify_ip", "::1").status == 0)
        #expect(try verify(leaf, trusting: [stranger]).output.contains("self-signed certificate"))
    }

    @Test(
        "a staple says what it is told, of its certificate and no other",
        arguments: [
            (.good, ": good"), (.revoked, ": revoked"), (.unknown, ": unknown"),
        ] as [(CertificateAuthority.CertificateStatus, String)]
    )
    func staple(status: CertificateAuthority.CertificateStatus, said: String) throws {
        let authority = try CertificateAuthority()
        let leaf = try authority.issue(names: ["localhost"]).certificate
        let other = try authority.issue(names: ["localhost"]).certificate
        #expect(try ask(authority.staple(for: leaf, status), of: leaf, authority).contains("leaf.pem\(said)"))
        #expect(try ask(authority.staple(for: leaf, status), of: leaf, authority).contains("Response verify OK"))
        #expect(try !ask(authority.staple(for: other, status), of: leaf, authority).contains("leaf.pem\(said)"))
        let old = CertificateAuthority.Validity(start: -7200, end: -3600)
        #expect(
            try ask(authority.staple(for: leaf, status, validity: old), of: leaf, authority).contains("status expired")
        )
    }

    private func ask(_ staple: [UInt8], of leaf: Certificate, _ authority: CertificateAuthority) throws -> String {
        let folder = try Folder(["ca.pem": authority.certificate.pem(), "leaf.pem": leaf.pem()])
        try Data(staple).write(to: URL(filePath: folder.file("staple.der")))
        return try openssl([
            "ocsp", "-respin", folder.file("staple.der"), "-CAfile", folder.file("ca.pem"), "-issuer",
            folder.file("ca.pem"), "-cert", folder.file("leaf.pem"), "-validity_period", "60",
        ]).output
    }
}
