/// A client's certificate and key, for a server that asks for them (mutual TLS).
///
/// ```swift
/// $0.tls.clientIdentity = .pem(certificateFile: "reader.pem", keyFile: "reader.key", passphrase: passphrase)
/// ```
///
/// Files are read when a repository is made; ``NetworkingConfiguration/validate()`` says if one cannot be. The passphrase is
/// never shown.
public struct ClientIdentity: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        case pem(certificateFile: String, keyFile: String)
        case pkcs12(file: String)
    }

    let form: Form
    let passphrase: Secret?

    /// Of two PEM files (RFC 7468), which may be one and the same.
    ///
    /// - Parameters:
    ///   - certificateFile: The certificate, and behind it those that lead to its authority.
    ///   - keyFile: The key.
    ///   - passphrase: What opens the key, if it is encrypted.
    /// - Returns: The identity; nothing is read yet.
    public static func pem(certificateFile: String, keyFile: String, passphrase: Secret? = nil) -> ClientIdentity {
        ClientIdentity(form: .pem(certificateFile: certificateFile, keyFile: keyFile), passphrase: passphrase)
    }

    /// Of a PKCS #12 file (RFC 7292), usually named `.p12` or `.pfx`.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - passphrase: What opens it.
    /// - Returns: The identity; nothing is read yet.
    public static func pkcs12(file: String, passphrase: Secret? = nil) -> ClientIdentity {
        ClientIdentity(form: .pkcs12(file: file), passphrase: passphrase)
    }
}
