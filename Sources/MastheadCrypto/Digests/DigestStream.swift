import CMastheadOpenSSL

/// A digest that is made piece by piece, of what does not fit into memory.
///
/// ```swift
/// var stream = try DigestStream(.sha256)
/// while let piece = file.next() { try stream.update(piece) }
/// let digest = try stream.finish()
/// ```
package struct DigestStream: ~Copyable {
    private let context: OpaquePointer

    /// Begins a digest.
    package init(_ algorithm: Digest.Algorithm) throws(CryptoError) {
        guard let context = EVP_MD_CTX_new() else { throw .last("EVP_MD_CTX_new") }
        let method = EVP_MD_fetch(nil, algorithm.rawValue, nil)
        defer { EVP_MD_free(method) }
        guard let method, EVP_DigestInit_ex(context, method, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .last("EVP_DigestInit_ex(\(algorithm.rawValue))")
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) throws(CryptoError) {
        let isDone = bytes.withBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        guard isDone == 1 else { throw .last("EVP_DigestUpdate") }
    }

    /// Ends the digest.
    package consuming func finish() throws(CryptoError) -> Digest {
        var count: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, filled in
            filled = EVP_DigestFinal_ex(context, output.baseAddress, &count) == 1 ? Int(count) : 0
        }
        guard !bytes.isEmpty else { throw .last("EVP_DigestFinal_ex") }
        return Digest(bytes: bytes)
    }
}
