import FoundationEssentials
import MastheadCrypto

/// One key at work: what it seals, and what it opens.
struct TokenFileSeal: Sendable {
    /// The longest token file, header and all.
    static let maximumSize = 64 << 10
    /// Credentials are filled up to a multiple of this, so that a file's length does not tell that of a token.
    private static let block = 512

    let kind: TokenFileHeader.Kind
    let keyID: [UInt8]
    private let key: SecretBytes

    /// Takes a key: 32 bytes, from wherever.
    init(_ secret: SecretBytes, kind: TokenFileHeader.Kind) throws(TokenStoreError) {
        self.kind = kind
        do throws(CryptoError) {
            key = try secret.derived(for: "masthead token file 1: encryption")
            keyID = try secret.derived(for: "masthead token file 1: identity").withBytes { Array($0.prefix(16)) }
        } catch {
            throw .inaccessible(reason: "the key cannot be used: \(error)")
        }
    }

    /// The whole file for some credentials, with a nonce of its own.
    func seal(_ credentials: SessionCredentials) throws(TokenStoreError) -> [UInt8] {
        let plain = try Self.encoded(credentials)
        guard TokenFileHeader.size + plain.count + AESGCM.tagSize <= Self.maximumSize else {
            throw .inaccessible(reason: "the credentials are too long for a token file")
        }
        do {
            let nonce = try SecureRandom.bytes(count: AESGCM.nonceSize)
            let header = try TokenFileHeader(kind: kind, keyID: keyID, nonce: nonce).bytes()
            return header + (try AESGCM.seal(plain, key: key, nonce: nonce, associatedData: header))
        } catch let error as TokenStoreError {
            throw error
        } catch {
            throw .inaccessible(reason: "the credentials cannot be encrypted: \(error)")
        }
    }

    /// The credentials of a whole file, if this is its key and nobody changed a byte of it.
    func open(_ file: [UInt8], _ header: TokenFileHeader) throws(TokenStoreError) -> SessionCredentials {
        guard header.keyID == keyID, header.kind == kind else { throw .wrongKey }
        let plain: SecretBytes
        do throws(CryptoError) {
            plain = try AESGCM.open(
                Array(file[TokenFileHeader.size...]),
                key: key,
                nonce: header.nonce,
                associatedData: Array(file[..<TokenFileHeader.size])
            )
        } catch .notAuthentic {
            throw .damaged(reason: "what is sealed in it was changed")
        } catch {
            throw .inaccessible(reason: "it cannot be decrypted: \(error)")
        }
        return try Self.decoded(plain)
    }

    /// JSON, with spaces behind it.
    private static func encoded(_ credentials: SessionCredentials) throws(TokenStoreError) -> SecretBytes {
        do {
            var data = try JSONEncoder().encode(credentials)
            defer { data.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
            let size = (data.count + block - 1) / block * block
            return SecretBytes(count: size) { memory in
                memory.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
                memory.copyBytes(from: data)
            }
        } catch {
            // The encoder's own words may quote a token.
            throw .inaccessible(reason: "the credentials cannot be written as JSON")
        }
    }

    private static func decoded(_ plain: SecretBytes) throws(TokenStoreError) -> SessionCredentials {
        var data = plain.withBytes { Data($0) }
        defer { data.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        guard let credentials = try? JSONDecoder().decode(SessionCredentials.self, from: data) else {
            throw .damaged(reason: "what is sealed in it are no credentials")
        }
        return credentials
    }
}
