/// A certificate, its private key and who issued it.
package struct Identity: Sendable {
    /// What the holder shows.
    package let certificate: Certificate

    /// What proves that it is the holder's.
    package let key: PrivateKey

    /// The issuer's certificate; `nil` if it is the holder's own.
    package let issuer: Certificate?

    package init(certificate: Certificate, key: PrivateKey, issuer: Certificate?) {
        self.certificate = certificate
        self.key = key
        self.issuer = issuer
    }
}
