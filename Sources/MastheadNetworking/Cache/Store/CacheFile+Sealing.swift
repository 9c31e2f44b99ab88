import FoundationEssentials
import MastheadCrypto
import MastheadSQLite

extension CacheFile {
    /// What stands for a key in the file: for the answers to a request a digest, since a URL may hold a secret.
    func index(_ key: EntryKey) throws(DatabaseError) -> [UInt8] {
        guard !isSealed, key.type == nil else { return try index(key.stored) }
        guard let digest = try? Digest.sha256(key.stored.utf8) else {
            throw .failed(code: 0, message: "OpenSSL has no SHA-256")
        }
        return digest.bytes
    }

    func index(_ tag: String) throws(DatabaseError) -> [UInt8] { try index(Array(tag.utf8)) }

    func index(_ text: [UInt8]) throws(DatabaseError) -> [UInt8] {
        guard let sealer else { return text }
        guard let index = try? sealer.index(text) else { throw .failed(code: 0, message: "OpenSSL has no HMAC") }
        return index
    }

    /// An entry's head as it stands in the file.
    func sealHead(_ record: CacheRecord, key: [UInt8]) throws(DatabaseError) -> Data {
        record.head.isEmpty ? record.head : try seal(record.head, place(key, record.revision, -1))
    }

    /// What stands for a variant in the file.
    func index(variant: [UInt8]) throws(DatabaseError) -> [UInt8] {
        guard isSealed, !variant.isEmpty else { return variant }
        return try index("variant\u{1}" + variant.map { String($0, radix: 16) }.joined(separator: " "))
    }

    /// What tells a sealed piece's place from every other.
    func place(_ key: [UInt8], _ revision: Int64, _ number: Int) -> [UInt8] {
        guard isSealed else { return [] }
        return withUnsafeBytes(of: (revision.bigEndian, Int64(number).bigEndian)) { Array($0) } + key
    }

    func seal(_ plain: Data, _ place: [UInt8]) throws(DatabaseError) -> Data {
        guard let sealer else { return plain }
        guard let sealed = try? sealer.seal(plain, in: place) else {
            throw .failed(code: 0, message: "OpenSSL cannot seal")
        }
        return sealed
    }

    func open(_ sealed: Data, _ place: [UInt8]) throws(DatabaseError) -> Data {
        guard let sealer else { return sealed }
        guard let plain = try? sealer.open(sealed, in: place) else {
            throw .failed(code: 0, message: "a sealed piece was changed")
        }
        return plain
    }
}
