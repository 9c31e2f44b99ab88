import MastheadCrypto
import MastheadLock
import MastheadTransport

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

    /// The key of an identity, or else another one under the name; `nil` if the service has none.
    func read(_ keyID: [UInt8], _ cancellation: Cancellation?) throws(TokenStoreError) -> SecretBytes? {
        try inLibrary(cancellation) { (library) throws(TokenStoreError) in
            if let key = try key(in: library, of: keyID) { return key }
            return try key(in: library)
        }
    }

    /// The key; a new one if the service has none under the name.
    func readOrMake(_ cancellation: Cancellation?) throws(TokenStoreError) -> SecretBytes {
        try inLibrary(cancellation) { (library) throws(TokenStoreError) in
            if let key = try key(in: library) { return key }
            var digits = try HexadecimalKey.make()
            defer { digits.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
            // A text for C has no end of line, and a zero behind it.
            digits[digits.count - 1] = 0
            guard let made = HexadecimalKey.key(of: digits.dropLast()) else {
                throw .noSecretService(reason: "there is no key to keep")
            }
            // Two token files with one name may be new at once: neither's key takes the place of the other's.
            let keyID = try TokenFileSeal(made, kind: .stored).keyID
            try library.store(&digits, label: "\(application): \(name)", under: attributes(of: keyID))
            guard let key = try key(in: library, of: keyID) else {
                throw .noSecretService(reason: "the service has forgotten the key at once")
            }
            return key
        }
    }

    /// Does something with the library on a thread of its own, which is left behind if nobody waits any more and it does
    /// not notice: a service that ends while it asks the user leaves libsecret waiting for ever.
    private func inLibrary<Output: Sendable>(
        _ cancellation: Cancellation?,
        _ body: @escaping @Sendable (borrowing SecretLibrary) throws(TokenStoreError) -> Output
    ) throws(TokenStoreError) -> Output {
        let outcome = Latch<Result<Output, TokenStoreError>>()
        let inner = Cancellation()
        cancellation?.onCancel {
            outcome.put(.failure(.cancelled))
            inner.cancel()
        }
        defer { cancellation?.onCancel(nil) }
        let isStarted = OwnThread.start {
            outcome.put(Result { () throws(TokenStoreError) in try SecretLibrary(inner).run(body) })
        }
        guard isStarted else { throw .noSecretService(reason: "there is no thread to ask it on") }
        return try outcome.wait().get()
    }

    /// What an item is found by; a key's identity, which stands in the file too, tells several under one name apart.
    private func attributes(of keyID: [UInt8]?) -> [String: String] {
        var attributes = ["application": application, "token-key": name]
        attributes["key-id"] = keyID.map(HexadecimalKey.text)
        return attributes
    }

    private func key(
        in library: borrowing SecretLibrary,
        of keyID: [UInt8]? = nil
    ) throws(TokenStoreError) -> SecretBytes? {
        let attributes = attributes(of: keyID)
        var found = try library.look(for: attributes)
        if found == nil {
            switch try library.presence(of: attributes) {
            case .none: return nil
            // It is not found either, if the user did not unlock it: it must not be taken for lost.
            case .locked: throw .noSecretService(reason: "the keyring with the key is locked: unlock it, and ask again")
            // Another process was quicker.
            case .unlocked: found = try library.look(for: attributes)
            }
        }
        guard var text = found else { throw .noSecretService(reason: "the service does not give the key that it has") }
        defer { text.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        guard let key = HexadecimalKey.key(of: text[...]) else {
            throw .missingKey(reason: "what the Secret Service keeps under this name is no key: remove it there")
        }
        return key
    }
}
