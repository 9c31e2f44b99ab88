import MastheadCrypto

/// A store's key, and what was made of it: a passphrase costs too much to be worked on each time.
struct TokenFileKeys: Sendable {
    let source: TokenFileKey

    /// Ends a wait for the user when the task is cancelled.
    var cancellation: Cancellation?

    private var known: TokenFileSeal?

    init(_ source: TokenFileKey) {
        self.source = source
    }

    /// Makes sure that a token file has not its own key file's path: their locks would wait for each other, and one would
    /// be written over the other.
    func check(for file: PrivateFile) throws(TokenStoreError) {
        guard case .file(let path) = source.source, file.isAt(path) else { return }
        throw .unusableKeyFile(reason: "the key file is the token file: give it another path")
    }

    /// The key that a file with this header was sealed with; none is made for it.
    ///
    /// - Throws: ``TokenStoreError/missingKey(reason:)`` if there is none.
    mutating func seal(opening header: TokenFileHeader) throws(TokenStoreError) -> TokenFileSeal {
        if let known, known.keyID == header.keyID { return known }
        return try readSeal(of: header)
    }

    /// The key to write with; only while the token file is locked.
    ///
    /// - Parameter header: That of the file that is written over. A stored key has to be there, and to be that file's: one
    ///   that is away may come back, and would not open what another one sealed. If there is no file, a key is made.
    /// - Returns: The seal to write with.
    /// - Throws: ``TokenStoreError/missingKey(reason:)`` or ``TokenStoreError/wrongKey`` if the file's own key is away.
    mutating func sealForWriting(over header: TokenFileHeader?) throws(TokenStoreError) -> TokenFileSeal {
        // It is asked for each time: one that is no longer there would open nothing at the next start.
        if let header, header.kind == .stored { return try readSeal(of: header) }
        let seal: TokenFileSeal
        switch source.source {
        case .passphrase(let passphrase, let cost):
            if let known, known.kind.work >= cost.work { return known }
            let salt = try Self.salt()
            seal = try TokenFileSeal(
                try cost.key(of: passphrase, salt: salt),
                kind: .passphrase(cost, salt: salt)
            )
        case .file(let path):
            seal = try TokenFileSeal(try KeyFile(path).readOrMake(), kind: .stored)
        case .secretService(let application, let name):
            let keyring = SecretServiceKey(application: application, name: name)
            seal = try TokenFileSeal(try keyring.readOrMake(cancellation), kind: .stored)
        }
        known = seal
        return seal
    }

    /// Reads, or works out, the key that a file with this header was sealed with.
    private mutating func readSeal(of header: TokenFileHeader) throws(TokenStoreError) -> TokenFileSeal {
        let seal: TokenFileSeal
        switch (source.source, header.kind) {
        case (.passphrase(let passphrase, _), .passphrase(let cost, let salt)):
            seal = try TokenFileSeal(try cost.key(of: passphrase, salt: salt), kind: header.kind)
        case (.file(let path), .stored):
            guard let key = try KeyFile(path).read() else {
                throw .missingKey(reason: "the key file is gone: bring it back, or remove what it sealed")
            }
            seal = try TokenFileSeal(key, kind: .stored)
        case (.secretService(let application, let name), .stored):
            let keyring = SecretServiceKey(application: application, name: name)
            guard let key = try keyring.read(header.keyID, cancellation) else {
                throw .missingKey(reason: "the Secret Service has no such key: bring it back, or remove what it sealed")
            }
            seal = try TokenFileSeal(key, kind: .stored)
        default: throw .wrongKey
        }
        guard seal.keyID == header.keyID else { throw .wrongKey }
        known = seal
        return seal
    }

    private static func salt() throws(TokenStoreError) -> [UInt8] {
        do throws(CryptoError) {
            return try SecureRandom.bytes(count: TokenFileHeader.saltSize)
        } catch {
            throw .inaccessible(reason: "there is no randomness for a salt: \(error)")
        }
    }
}

extension TokenFileHeader.Kind {
    /// How much work the key of a passphrase was; 0 for a stored key.
    fileprivate var work: Int {
        if case .passphrase(let cost, _) = self { cost.work } else { 0 }
    }
}

extension TokenFileKeys: CustomReflectable {
    /// What a dump or a debugger shows: where the key comes from.
    var customMirror: Mirror { Mirror(self, children: ["source": source], displayStyle: .struct) }
}
