import MastheadCrypto

/// What one user's data is kept under: a name that tells nothing, and a key that opens it.
///
/// ```swift
/// struct KioskSession: RepositorySession {
///     let partition: SessionPartition? = SessionPartition(secret: kiosk.secret)
/// }
/// ```
///
/// A ``SessionManager`` makes one at random for each login and keeps it with the credentials, so that it lasts as long as
/// they do. Both the name and the key come from the secret: whoever has not got it finds neither.
public struct SessionPartition: Sendable, Hashable {
    /// What both are made of.
    let secret: Secret

    /// The name: 32 lower-case hexadecimal digits.
    public let name: String

    /// Makes a partition of a secret that nobody can guess: at least 16 random bytes, in any spelling.
    public init(secret: Secret) {
        self.secret = secret
        // Without OpenSSL's HMAC there is no way to a name, and then none to a file.
        let code = try? AuthenticationCode(of: "masthead partition name".utf8, key: secret.value.utf8)
        name = String((code?.hexadecimal ?? "").prefix(32))
    }

    /// Makes a partition that nobody has; `nil` without a source of randomness.
    static func random() -> SessionPartition? {
        guard let bytes = try? SecureRandom.bytes(count: 32) else { return nil }
        let partition = SessionPartition(
            secret: Secret(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        )
        return partition.name.isEmpty ? nil : partition
    }

    /// The key that its data is sealed with.
    func key() throws(CryptoError) -> SecretBytes {
        try SecretBytes(secret.value.utf8).derived(for: "masthead partition key")
    }
}

extension SessionPartition: CustomStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
