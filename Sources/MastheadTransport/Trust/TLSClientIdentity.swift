/// Who a client is, for a server that wants to know: a certificate and its key.
///
/// Its description shows nothing of either.
package final class TLSClientIdentity: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// How they are written down.
    package enum Form: Hashable, Sendable {
        /// The certificate and those between it and its authority, then its key, each as PEM (RFC 7468).
        case pem(certificates: [UInt8], key: [UInt8])
        /// All in one (RFC 7292).
        case pkcs12([UInt8])
    }

    let form: Form
    /// What opens the key, if it is encrypted.
    let passphrase: String?
    private let hash: Int

    package init(_ form: Form, passphrase: String? = nil) {
        self.form = form
        self.passphrase = passphrase
        var hasher = Hasher()
        hasher.combine(form)
        hasher.combine(passphrase)
        hash = hasher.finalize()
    }

    package var description: String { "a client's identity" }

    package var customMirror: Mirror { Mirror(self, children: []) }

    package static func == (left: TLSClientIdentity, right: TLSClientIdentity) -> Bool {
        left === right || left.hash == right.hash && left.form == right.form && left.passphrase == right.passphrase
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
