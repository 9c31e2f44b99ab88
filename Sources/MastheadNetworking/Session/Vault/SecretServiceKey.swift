import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A key in the desktop's Secret Service; everything here may block, for as long as the user is asked.
struct SecretServiceKey: Sendable {
    let application: String
    let name: String

    /// The key; `nil` if the service has none.
    func read(_ cancellation: Cancellation?) throws(TokenStoreError) -> SecretBytes? {
        try SecretLibrary(cancellation).run { (library) throws(TokenStoreError) in try key(in: library) }
    }

    /// The key; a new one if the service has none.
    func readOrMake(_ cancellation: Cancellation?) throws(TokenStoreError) -> SecretBytes {
        try SecretLibrary(cancellation).run { (library) throws(TokenStoreError) in
            if let key = try key(in: library) { return key }
            var digits = try HexadecimalKey.make()
            defer { digits.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
            // A text for C has no end of line, and a zero behind it.
            digits[digits.count - 1] = 0
            try library.store(&digits, label: "\(application): \(name)", under: attributes)
            // Another process may have been quicker: what is there counts.
            guard let key = try key(in: library) else {
                throw .noSecretService(reason: "the service has forgotten the key at once")
            }
            return key
        }
    }

    private var attributes: [String: String] { ["application": application, "token-key": name] }

    private func key(in library: borrowing SecretLibrary) throws(TokenStoreError) -> SecretBytes? {
        guard var text = try library.look(for: attributes) else {
            // A locked one is not found either, if the user did not unlock it: it must not be taken for lost.
            guard try !library.has(attributes) else {
                throw .noSecretService(reason: "the keyring with the key is locked: unlock it, and ask again")
            }
            return nil
        }
        defer { text.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        guard let key = HexadecimalKey.key(of: text) else {
            throw .missingKey(reason: "what the Secret Service keeps under this name is no key: remove it there")
        }
        return key
    }
}
