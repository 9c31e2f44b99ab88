import MastheadCrypto

/// The readable beginning of a token file: which key opens it, and how.
///
/// 68 bytes, all of them authenticated with what is sealed behind them:
///
/// | bytes | what |
/// |---|---|
/// | 0–7 | `MHTOKENS` |
/// | 8 | the version: 1 |
/// | 9 | the key's kind: 1 a stored key, 2 a passphrase |
/// | 10–12 | of a passphrase: log2 N, r and p of scrypt (RFC 7914); else 0 |
/// | 13–15 | 0 |
/// | 16–31 | of a passphrase: the salt; else 0 |
/// | 32–47 | which key it is: derived from it, and telling nothing of it |
/// | 48–59 | the nonce |
/// | 60–67 | the first bytes of the SHA-256 of all before |
///
/// The last tells a file that was damaged from one of another key, where nobody forged it; what is believed is the tag
/// alone.
package struct TokenFileHeader: Sendable, Hashable {
    package static let size = 68
    package static let version: UInt8 = 1
    package static let saltSize = 16
    private static let magic = Array("MHTOKENS".utf8)
    private static let checkedSize = 60

    /// Where the key comes from.
    package enum Kind: Sendable, Hashable {
        case stored
        case passphrase(PassphraseCost, salt: [UInt8])
    }

    package let kind: Kind
    package let keyID: [UInt8]
    package let nonce: [UInt8]

    init(kind: Kind, keyID: [UInt8], nonce: [UInt8]) {
        self.kind = kind
        self.keyID = keyID
        self.nonce = nonce
    }

    /// Reads the header of a file.
    ///
    /// - Throws: ``TokenStoreError/unknownVersion(_:)``, or ``TokenStoreError/damaged(reason:)``.
    package init(of file: [UInt8]) throws(TokenStoreError) {
        guard file.starts(with: Self.magic), file.count > Self.magic.count else {
            throw .damaged(reason: "it is no token file")
        }
        let version = file[Self.magic.count]
        guard version == Self.version else { throw .unknownVersion(Int(version)) }
        guard file.count >= Self.size else { throw .damaged(reason: "it was cut") }
        guard try Self.check(of: file) == Array(file[Self.checkedSize..<Self.size]) else {
            throw .damaged(reason: "its header was changed")
        }
        let salt = Array(file[16..<32])
        let hasPassphrase = file[10..<13].contains { $0 != 0 } || salt.contains { $0 != 0 }
        switch file[9] {
        case 1 where !hasPassphrase: kind = .stored
        case 2:
            let cost = try PassphraseCost(logarithmicCost: file[10], blockSize: file[11], parallelism: file[12])
            kind = .passphrase(cost, salt: salt)
        default: throw .damaged(reason: "its key is of no known kind")
        }
        guard file[13..<16].allSatisfy({ $0 == 0 }) else { throw .damaged(reason: "its header was changed") }
        keyID = Array(file[32..<48])
        nonce = Array(file[48..<60])
    }

    /// The header as it stands in the file.
    package func bytes() throws(TokenStoreError) -> [UInt8] {
        var bytes = Self.magic + [Self.version]
        switch kind {
        case .stored: bytes += [1] + [UInt8](repeating: 0, count: 6 + Self.saltSize)
        case .passphrase(let cost, let salt):
            bytes += [2] + [cost.logarithmicCost, cost.blockSize, cost.parallelism].map { UInt8(clamping: $0) }
            bytes += [0, 0, 0] + salt
        }
        bytes += keyID + nonce
        return bytes + (try Self.check(of: bytes))
    }

    /// The last bytes of a header, for those before.
    package static func check(of file: [UInt8]) throws(TokenStoreError) -> [UInt8] {
        do throws(CryptoError) {
            return Array(try Digest.sha256(file.prefix(checkedSize)).bytes.prefix(size - checkedSize))
        } catch {
            throw .inaccessible(reason: "there is no SHA-256: \(error)")
        }
    }
}
