import FoundationEssentials

/// What a server is known by: the SHA-256 digest of a key, or of a certificate, of its chain.
package enum Pin: Hashable, Sendable {
    /// Of the public key with its algorithm (SubjectPublicKeyInfo; RFC 7469, section 2.4): outlives the certificate.
    case publicKey([UInt8])
    /// Of the whole certificate in DER: ends with the certificate.
    case certificate([UInt8])

    /// How many bytes a digest has.
    package static let size = 32

    /// The digest.
    package var digest: [UInt8] {
        switch self {
        case .publicKey(let digest), .certificate(let digest): digest
        }
    }

    /// `sha256/` and the digest in Base64: the letters' case is part of it.
    package var text: String { "sha256/" + Data(digest).base64EncodedString() }
}
