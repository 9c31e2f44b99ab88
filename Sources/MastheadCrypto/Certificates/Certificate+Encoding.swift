import CMastheadOpenSSL

extension Certificate {
    /// The certificate as DER.
    package func der() throws(CryptoError) -> [UInt8] {
        try .encoded("i2d_X509") { i2d_X509(handle, $0) }
    }

    /// The public key and what sort of key it is, as DER: the `SubjectPublicKeyInfo` that pins are digests of.
    package func publicKeyDER() throws(CryptoError) -> [UInt8] {
        try .encoded("i2d_X509_PUBKEY") { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(handle), $0) }
    }
}

extension [UInt8] {
    static func encoded(
        _ function: String,
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(CryptoError) -> [UInt8] {
        let count = Int(encode(nil))
        guard count > 0 else { throw .last(function) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var position = buffer.baseAddress
            initialized = encode(&position) > 0 ? count : 0
        }
    }
}
