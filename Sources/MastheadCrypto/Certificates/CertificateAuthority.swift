/// An authority made on the spot, that vouches for a test's servers.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// let identity = try authority.issue(names: ["localhost"], addresses: ["127.0.0.1", "::1"])
/// let trusted = try authority.certificate.pem()
/// ```
///
/// Everything it makes holds relative to now, and has a key and a number of its own.
package struct CertificateAuthority: Sendable {
    /// When a certificate holds, in seconds from now.
    package struct Validity: Sendable, Hashable {
        /// When it begins.
        package let start: Int

        /// When it ends.
        package let end: Int

        /// Makes a time.
        package init(start: Int, end: Int) {
            self.start = start
            self.end = end
        }

        /// From yesterday, for clocks that are slow, to tomorrow.
        package static let aroundNow = Validity(start: -86_400, end: 86_400)

        /// Over since an hour.
        package static let expired = Validity(start: -86_400, end: -3600)

        /// Not yet begun.
        package static let future = Validity(start: 3600, end: 86_400)
    }

    /// The authority's own certificate, signed by itself or by the authority above it.
    package let certificate: Certificate

    /// The authority's key.
    package let key: PrivateKey

    /// The subject of its certificate, the issuer of those it issues.
    package let name: String

    /// Makes an authority that vouches for itself.
    ///
    /// - Parameters:
    ///   - name: Its name; two may have the same.
    ///   - key: Its key; `nil` makes one.
    ///   - validity: When its certificate holds.
    /// - Throws: What kept OpenSSL from it.
    package init(
        name: String = "Masthead Test Authority",
        key: PrivateKey? = nil,
        validity: Validity = .aroundNow
    ) throws(CryptoError) {
        let key = try PrivateKey.orNew(key)
        self.key = key
        self.name = name
        certificate = try Self.certify(name, key, by: (name, key, nil), isAuthority: true, nil, validity)
    }

    private init(name: String, key: PrivateKey, certificate: Certificate) {
        self.name = name
        self.key = key
        self.certificate = certificate
    }

    /// Makes an authority below this one.
    ///
    /// - Parameters:
    ///   - name: Its name; two may have the same.
    ///   - key: Its key; `nil` makes one, that of another renews it.
    ///   - pathLength: How many authorities may stand below it (RFC 5280, section 4.2.1.9); `nil` for any number.
    ///   - isAuthority: Whether its certificate allows it to issue any; one that is not issues them nevertheless.
    ///   - validity: When its certificate holds.
    /// - Returns: The authority.
    /// - Throws: What kept OpenSSL from it.
    package func intermediate(
        name: String = "Masthead Test Intermediate",
        key: PrivateKey? = nil,
        pathLength: Int? = nil,
        isAuthority: Bool = true,
        validity: Validity = .aroundNow
    ) throws(CryptoError) -> CertificateAuthority {
        let key = try PrivateKey.orNew(key)
        let issuer = (self.name, self.key, certificate as Certificate?)
        let made = try Self.certify(name, key, by: issuer, isAuthority: isAuthority, pathLength, validity)
        return CertificateAuthority(name: name, key: key, certificate: made)
    }

    /// Vouches for another authority: its name and its key, under this one (a cross-signed certificate).
    package func crossSign(
        _ other: CertificateAuthority,
        validity: Validity = .aroundNow
    ) throws(CryptoError) -> Certificate {
        try intermediate(name: other.name, key: other.key, validity: validity).certificate
    }

    private static func certify(
        _ name: String,
        _ key: PrivateKey,
        by issuer: (name: String, key: PrivateKey, certificate: Certificate?),
        isAuthority: Bool,
        _ pathLength: Int?,
        _ validity: Validity
    ) throws(CryptoError) -> Certificate {
        let builder = try CertificateBuilder()
        try builder.describe(subject: name, issuer: issuer.name, key: key, validity: validity)
        let length = pathLength.map { ",pathlen:\($0)" } ?? ""
        try builder.add(.basicConstraints, "critical,CA:" + (isAuthority ? "TRUE\(length)" : "FALSE"))
        try builder.add(.keyUsage, "critical," + (isAuthority ? "keyCertSign,cRLSign" : "digitalSignature"))
        try builder.add(.subjectKeyIdentifier, "hash")
        if let certificate = issuer.certificate {
            try builder.add(.authorityKeyIdentifier, "keyid:always", issuer: certificate)
        }
        return try builder.sign(with: issuer.key)
    }
}
