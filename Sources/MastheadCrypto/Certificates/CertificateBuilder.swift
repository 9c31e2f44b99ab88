import CMastheadOpenSSL

/// A certificate that is not signed yet.
struct CertificateBuilder: ~Copyable {
    /// What an extension says (RFC 5280, section 4.2.1).
    enum Extension {
        case basicConstraints
        case keyUsage
        case extendedKeyUsage
        case subjectKeyIdentifier
        case authorityKeyIdentifier
        case subjectAlternativeName

        var identifier: Int32 {
            switch self {
            case .basicConstraints: NID_basic_constraints
            case .keyUsage: NID_key_usage
            case .extendedKeyUsage: NID_ext_key_usage
            case .subjectKeyIdentifier: NID_subject_key_identifier
            case .authorityKeyIdentifier: NID_authority_key_identifier
            case .subjectAlternativeName: NID_subject_alt_name
            }
        }
    }

    private let handle: OpaquePointer

    init() throws(CryptoError) {
        guard let handle = X509_new() else { throw .last("X509_new") }
        self.handle = handle
    }

    deinit {
        X509_free(handle)
    }

    /// Says whose certificate it is, who issues it, and when it holds.
    func describe(
        subject: String,
        issuer: String,
        key: PrivateKey,
        validity: CertificateAuthority.Validity
    ) throws(CryptoError) {
        // Positive, and different for each, or clients take two certificates of an issuer for the same one.
        var serial = try SecureRandom.bytes(count: 16)
        serial[0] = serial[0] & 0x7F | 0x40
        let number = BN_bin2bn(serial, Int32(serial.count), nil)
        defer { BN_free(number) }
        guard X509_set_version(handle, 2) == 1, BN_to_ASN1_INTEGER(number, X509_get_serialNumber(handle)) != nil else {
            throw .last("X509_set_version")
        }
        guard
            X509_gmtime_adj(X509_getm_notBefore(handle), validity.start) != nil,
            X509_gmtime_adj(X509_getm_notAfter(handle), validity.end) != nil
        else { throw .last("X509_gmtime_adj") }
        try Self.set(X509_get_subject_name(handle), to: subject)
        try Self.set(X509_get_issuer_name(handle), to: issuer)
        guard X509_set_pubkey(handle, key.handle) == 1 else { throw .last("X509_set_pubkey") }
    }

    private static func set(_ name: OpaquePointer?, to commonName: String) throws(CryptoError) {
        // A common name has 64 characters at most; whom a certificate is for stands in its alternative names.
        let text = Array(commonName.utf8.prefix(64))
        guard X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1 else {
            throw .last("X509_NAME_add_entry_by_txt")
        }
    }

    /// Adds an extension, its value written as OpenSSL's configuration has it.
    func add(_ kind: Extension, _ value: String, issuer: Certificate? = nil) throws(CryptoError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer?.handle ?? handle, handle, nil, nil, 0)
        guard let made = X509V3_EXT_conf_nid(nil, &context, kind.identifier, value) else {
            throw .last("X509V3_EXT_conf_nid(\(value))")
        }
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(handle, made, -1) == 1 else { throw .last("X509_add_ext") }
    }

    /// Signs the certificate; it can't be changed any more.
    consuming func sign(with key: PrivateKey) throws(CryptoError) -> Certificate {
        guard X509_sign(handle, key.handle, key.signatureDigest) > 0 else { throw .last("X509_sign") }
        guard X509_up_ref(handle) == 1 else { throw .last("X509_up_ref") }
        return Certificate(handle)
    }
}
