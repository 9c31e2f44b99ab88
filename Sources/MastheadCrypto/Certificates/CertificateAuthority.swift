#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An authority made on the spot, that vouches for a test's servers.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// let identity = try authority.issue(names: ["localhost"], addresses: ["127.0.0.1", "::1"])
/// let trusted = try authority.certificate.pem()
/// ```
package struct CertificateAuthority: Sendable {
    /// When a certificate holds, in seconds from now.
    package struct Validity: Sendable, Hashable {
        /// When it begins.
        package let start: Int

        /// When it ends.
        package let end: Int

        /// From yesterday, for clocks that are slow, to tomorrow.
        package static let aroundNow = Validity(start: -86_400, end: 86_400)

        /// Over since an hour.
        package static let expired = Validity(start: -86_400, end: -3600)

        /// Not yet begun.
        package static let future = Validity(start: 3600, end: 86_400)
    }

    /// The authority's own certificate, signed by itself.
    package let certificate: Certificate

    private let key: PrivateKey
    private let name: String

    /// Makes an authority with a new key.
    package init(name: String = "Masthead Test Authority", validity: Validity = .aroundNow) throws(CryptoError) {
        key = try .p256()
        self.name = name
        let builder = try CertificateBuilder()
        try builder.describe(subject: name, issuer: name, key: key, validity: validity)
        try builder.add(.basicConstraints, "critical,CA:TRUE")
        try builder.add(.keyUsage, "critical,keyCertSign,cRLSign")
        try builder.add(.subjectKeyIdentifier, "hash")
        certificate = try builder.sign(with: key)
    }

    /// Issues a server's certificate, with a new key.
    ///
    /// - Parameters:
    ///   - names: The DNS names it is for; a `*` may be a name's first label.
    ///   - addresses: The IPv4 and IPv6 addresses it is for.
    ///   - validity: When it holds.
    /// - Returns: The certificate and its key.
    /// - Throws: ``CryptoError/invalidInput(_:)`` if there is neither name nor address, or one that is none.
    package func issue(
        names: [String],
        addresses: [String] = [],
        validity: Validity = .aroundNow
    ) throws(CryptoError) -> Identity {
        let alternatives =
            try names.map { name throws(CryptoError) in
                guard Self.isName(name) else { throw .invalidInput("\"\(name)\" is no DNS name") }
                return "DNS:\(name)"
            }
            + addresses.map { address throws(CryptoError) in
                guard Self.isAddress(address) else {
                    throw .invalidInput("\"\(address)\" is no IP address")
                }
                return "IP:\(address)"
            }
        guard !alternatives.isEmpty else { throw .invalidInput("a certificate needs a name or an address") }
        let leafKey = try PrivateKey.p256()
        let builder = try CertificateBuilder()
        try builder.describe(
            subject: (names + addresses).first ?? "",
            issuer: name,
            key: leafKey,
            validity: validity
        )
        try builder.add(.basicConstraints, "critical,CA:FALSE")
        try builder.add(.keyUsage, "critical,digitalSignature")
        try builder.add(.extendedKeyUsage, "serverAuth")
        try builder.add(.subjectKeyIdentifier, "hash")
        try builder.add(.authorityKeyIdentifier, "keyid:always", issuer: certificate)
        try builder.add(.subjectAlternativeName, alternatives.joined(separator: ","))
        return Identity(certificate: try builder.sign(with: key), key: leafKey, issuer: certificate)
    }

    private static func isName(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return name.utf8.count <= 253
            && labels.enumerated().allSatisfy { index, label in
                (index == 0 && label == "*" && labels.count > 1)
                    || (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isLabelByte)
            }
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    // OpenSSL's own reading of addresses takes ":" for one.
    private static func isAddress(_ address: String) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { bytes in
            inet_pton(AF_INET, address, bytes.baseAddress) == 1 || inet_pton(AF_INET6, address, bytes.baseAddress) == 1
        }
    }
}
