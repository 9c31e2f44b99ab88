/// Where the key of an ``EncryptedFileTokenStore`` comes from.
///
/// ```swift
/// let key: TokenFileKey = .file("/var/lib/reader/token.key")
/// let key: TokenFileKey = .passphrase(typed)
/// let key: TokenFileKey = .secretService(application: "org.example.reader")
/// ```
///
/// | key | keeps the tokens from | asks of the app |
/// |---|---|---|
/// | a file | who gets the token file alone: a backup, a synchronised folder | to keep the key file elsewhere |
/// | a passphrase | who gets all files | to ask the user each time it starts |
/// | the Secret Service | who gets all files while the user is logged out | a desktop session |
///
/// None keeps them from a process that runs as the same user.
public struct TokenFileKey: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        case file(String)
        case passphrase(Secret, PassphraseCost)
        case secretService(application: String, name: String)
    }

    let source: Source

    /// A key file: 32 random bytes in hexadecimal digits, made with mode 0600 when it is missing and nothing was saved yet.
    ///
    /// A file that others than its owner may read, that belongs to somebody else, or that is no plain file (a symbolic
    /// link, a pipe) is refused with ``TokenStoreError/unusableKeyFile(reason:)``, and so is the token file's own path.
    /// `openssl rand -hex 32` makes one by hand.
    ///
    /// - Parameter path: The file, in a folder that exists; best in another one than the token file.
    /// - Returns: A key that is read, or made, when it is needed.
    public static func file(_ path: String) -> TokenFileKey {
        TokenFileKey(source: .file(path))
    }

    /// A passphrase, made into a key by scrypt (RFC 7914) with 2¹⁷, 8 and 1: 128 MiB and some tenths of a second for the
    /// first use.
    ///
    /// The numbers and the salt stand in the file. A file that asks for more than twice the memory or four times the work
    /// is refused before it gets any.
    public static func passphrase(_ passphrase: Secret) -> TokenFileKey {
        TokenFileKey(source: .passphrase(passphrase, .standard))
    }

    /// The same with less work, for tests.
    package static func passphrase(_ passphrase: Secret, cost: PassphraseCost) -> TokenFileKey {
        TokenFileKey(source: .passphrase(passphrase, cost))
    }

    /// A key in the desktop's Secret Service (GNOME Keyring, KWallet, KeePassXC), made there at the first use.
    ///
    /// It is reached through libsecret, which is loaded when it is needed: no dependency of the package. Where there is
    /// none, or no service, ``TokenStoreError/noSecretService(reason:)`` says so. The service may ask the user to unlock
    /// it; cancelling the task ends the wait, with ``TokenStoreError/cancelled``.
    ///
    /// - Parameters:
    ///   - application: What the key is for, such as the app's identifier; the service shows it to the user.
    ///   - name: Tells several keys of one application apart; best one for each token file.
    /// - Returns: A key that is read, or made, when it is needed.
    public static func secretService(application: String, name: String = "session") -> TokenFileKey {
        TokenFileKey(source: .secretService(application: application, name: name))
    }
}

extension TokenFileKey: CustomStringConvertible, CustomReflectable {
    /// The kind of the key, and no passphrase.
    public var description: String {
        switch source {
        case .file(let path): "key file \(path)"
        case .passphrase: "passphrase"
        case .secretService(let application, let name): "Secret Service, \(application), \(name)"
        }
    }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
