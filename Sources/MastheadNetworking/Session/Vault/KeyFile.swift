import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file with a key that only its owner may read; everything here may block.
struct KeyFile: Sendable {
    private let file: PrivateFile

    init(_ path: String) throws(TokenStoreError) {
        do throws(TokenStoreError) {
            file = try PrivateFile(path)
        } catch {
            throw .unusableKeyFile(reason: "the path of the key file is none of a file")
        }
    }

    /// The key; `nil` if there is no file.
    ///
    /// - Throws: ``TokenStoreError/unusableKeyFile(reason:)`` if somebody else may have read it, or it holds no key.
    func read() throws(TokenStoreError) -> SecretBytes? {
        let descriptor: Int32
        do throws(TokenStoreError) {
            guard let opened = try file.openForReading() else { return nil }
            descriptor = opened
        } catch {
            throw .unusableKeyFile(reason: Self.words(of: error))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unusable("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unusable("is no plain file") }
        guard status.st_uid == geteuid() else {
            throw unusable("belongs to another user: make it the app's own with chown, or make a new one")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw unusable("has the mode 0\(mode), so that others may have read it: make a new key, with mode 0600")
        }
        return try key(in: descriptor)
    }

    /// The key; a new one if there is no file.
    func readOrMake() throws(TokenStoreError) -> SecretBytes {
        if let key = try read() { return key }
        do throws(TokenStoreError) {
            try file.withLock { () throws(TokenStoreError) in
                file.removeLeftovers()
                try file.create(with: HexadecimalKey.make())
            }
        } catch {
            throw .unusableKeyFile(reason: Self.words(of: error))
        }
        // Another process may have been quicker: what is there counts.
        guard let key = try read() else { throw unusable("was removed while it was made") }
        return key
    }

    private func key(in descriptor: Int32) throws(TokenStoreError) -> SecretBytes {
        var digits: [UInt8]
        do throws(TokenStoreError) {
            digits = try file.read(descriptor, atMost: HexadecimalKey.maximumSize)
        } catch .damaged {
            throw unusable("holds no key: 64 hexadecimal digits")
        } catch {
            throw .unusableKeyFile(reason: Self.words(of: error))
        }
        defer { digits.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        guard let key = HexadecimalKey.key(of: digits[...]) else {
            throw unusable("holds no key: 64 hexadecimal digits")
        }
        return key
    }

    private func unusable(_ what: String) -> TokenStoreError {
        .unusableKeyFile(reason: "\(file.name) \(what)")
    }

    /// What an error of the file says, without what it says of stored credentials.
    private static func words(of error: TokenStoreError) -> String {
        if case .inaccessible(let reason) = error { reason } else { "\(error)" }
    }
}
