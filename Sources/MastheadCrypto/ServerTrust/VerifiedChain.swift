import CMastheadOpenSSL

/// The certificates from a server's own up to a trusted root, as OpenSSL built and verified them.
///
/// What a server sends beside them is not here: anybody can send anybody's certificate.
package final class VerifiedChain: Sendable {
    /// The server's own first.
    package let certificates: [Certificate]

    /// The digests of their public keys.
    package let publicKeyDigests: [[UInt8]]

    /// `nil` if there is none, or one that can't be digested.
    init?(_ stack: OpaquePointer?) {
        let certificates = [Certificate](stack)
        let digests = certificates.compactMap { try? $0.publicKeyDigest() }
        guard !certificates.isEmpty, digests.count == certificates.count else { return nil }
        self.certificates = certificates
        publicKeyDigests = digests
    }
}

extension [Certificate] {
    /// What OpenSSL has in a stack.
    init(_ stack: OpaquePointer?) {
        self = []
        var index: Int32 = 0
        // -1 for no stack.
        while index < OPENSSL_sk_num(stack) {
            defer { index += 1 }
            if let certificate = Certificate(sharing: OPENSSL_sk_value(stack, index).map(OpaquePointer.init)) {
                append(certificate)
            }
        }
    }
}
