import CMastheadOpenSSL

/// One message of AES-256-GCM on its way; used once, by one thread.
struct CipherContext: ~Copyable {
    private let handle: OpaquePointer

    init(key: SecretBytes, nonce: [UInt8], isSealing: Bool) throws(CryptoError) {
        guard let handle = EVP_CIPHER_CTX_new() else { throw .last("EVP_CIPHER_CTX_new") }
        let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
        defer { EVP_CIPHER_free(cipher) }
        // The nonce has the mode's own length, 12 bytes.
        let isReady = key.withBytes { key in
            EVP_CipherInit_ex2(
                handle,
                cipher,
                key.assumingMemoryBound(to: UInt8.self).baseAddress,
                nonce,
                isSealing ? 1 : 0,
                nil
            )
        }
        guard cipher != nil, isReady == 1 else {
            EVP_CIPHER_CTX_free(handle)
            throw .last("EVP_CipherInit_ex2(AES-256-GCM)")
        }
        self.handle = handle
    }

    // Wipes the key too.
    deinit {
        EVP_CIPHER_CTX_free(handle)
    }

    /// Adds what is authenticated and not encrypted; before everything else.
    borrowing func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
        var count: Int32 = 0
        guard bytes.isEmpty || EVP_CipherUpdate(handle, nil, &count, bytes, Int32(bytes.count)) == 1 else {
            throw .last("EVP_CipherUpdate")
        }
    }

    /// Encrypts a message that is whole; the room must be as long as it is.
    borrowing func update(_ input: UnsafeRawBufferPointer, into output: inout [UInt8]) throws(CryptoError) {
        guard !input.isEmpty else { return }
        var count: Int32 = 0
        let memory = input.assumingMemoryBound(to: UInt8.self).baseAddress
        let isDone = EVP_CipherUpdate(handle, &output, &count, memory, Int32(input.count))
        guard isDone == 1, Int(count) == input.count else { throw .last("EVP_CipherUpdate") }
    }

    /// Decrypts a message that is whole; the room must be as long as it is.
    borrowing func update(_ input: [UInt8], into output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard !input.isEmpty else { return }
        var count: Int32 = 0
        let memory = output.assumingMemoryBound(to: UInt8.self).baseAddress
        let isDone = EVP_CipherUpdate(handle, memory, &count, input, Int32(input.count))
        guard isDone == 1, Int(count) == input.count else { throw .last("EVP_CipherUpdate") }
    }

    /// Ends the message; where it is decrypted, fails unless the tag is right.
    borrowing func finish() throws(CryptoError) {
        var count: Int32 = 0
        var rest = [UInt8](repeating: 0, count: 16)
        guard EVP_CipherFinal_ex(handle, &rest, &count) == 1 else { throw .last("EVP_CipherFinal_ex") }
    }

    /// The tag of a message that was encrypted.
    borrowing func tag() throws(CryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AESGCM.tagSize)
        guard EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .last("EVP_CTRL_AEAD_GET_TAG")
        }
        return tag
    }

    /// Says which tag a message must have.
    borrowing func expectTag(_ tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        guard EVP_CIPHER_CTX_ctrl(handle, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .last("EVP_CTRL_AEAD_SET_TAG")
        }
    }
}
