import CMastheadOpenSSL

extension Certificate {
    /// Reads a file's certificates, PEM (RFC 7468) or DER by what it holds, whatever its name says.
    ///
    /// - Returns: At least one; of PEM all there are, in their order.
    /// - Throws: ``CryptoError/invalidInput(_:)`` if there is none, if one is broken, or if there is something else: a
    ///   private key among them is a mistake that should be heard of.
    package static func certificates(in bytes: [UInt8]) throws(CryptoError) -> [Certificate] {
        let start = Array("-----BEGIN ".utf8)
        let isPEM = bytes.firstRange(of: start) != nil
        return isPEM ? try pemCertificates(in: bytes) : [try Certificate(der: bytes)]
    }

    /// Reads one certificate in DER, and nothing behind it.
    package convenience init(der bytes: [UInt8]) throws(CryptoError) {
        let handle = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var position = buffer.baseAddress
            guard let handle = d2i_X509(nil, &position, buffer.count) else { return nil }
            guard let end = position, let start = buffer.baseAddress, end - start == buffer.count else {
                X509_free(handle)
                return nil
            }
            return handle
        }
        guard let handle else {
            ERR_clear_error()
            throw .invalidInput("no certificate")
        }
        self.init(handle)
    }

    private static func pemCertificates(in bytes: [UInt8]) throws(CryptoError) -> [Certificate] {
        let memory = try MemoryBIO()
        guard BIO_write(memory.handle, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw .last("BIO_write")
        }
        var certificates: [Certificate] = []
        while let block = try nextBlock(of: memory.handle) {
            guard block.name == "CERTIFICATE" || block.name == "X509 CERTIFICATE" else {
                throw .invalidInput("there is a \(block.name.prefix(40)) in it")
            }
            certificates.append(try Certificate(der: block.bytes))
        }
        guard !certificates.isEmpty else { throw .invalidInput("no certificate") }
        return certificates
    }

    /// The next block between "BEGIN" and "END"; `nil` behind the last.
    private static func nextBlock(of memory: OpaquePointer) throws(CryptoError) -> (name: String, bytes: [UInt8])? {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer {
            CRYPTO_free(name, nil, 0)
            CRYPTO_free(header, nil, 0)
            CRYPTO_free(data, nil, 0)
        }
        ERR_clear_error()
        guard PEM_read_bio(memory, &name, &header, &data, &count) == 1, let name, let data else {
            let code = ERR_peek_last_error()
            ERR_clear_error()
            // The end is where no further block starts; everything else is one that is broken.
            guard ERR_GET_REASON(code) == PEM_R_NO_START_LINE else {
                throw .invalidInput("a broken PEM block")
            }
            return nil
        }
        return (String(cString: name), Array(UnsafeBufferPointer(start: data, count: max(0, count))))
    }
}

// MARK: - What it says

extension Certificate {
    /// The holder's name (RFC 4514), at most 200 characters, with everything but plain ASCII escaped: a line or a terminal
    /// shows it as it is, whatever a server put into it.
    package var subject: String { Self.text(of: X509_get_subject_name(handle)) }

    /// The issuer's name, in the same form.
    package var issuer: String { Self.text(of: X509_get_issuer_name(handle)) }

    /// Whether it names itself as its issuer.
    package var isSelfIssued: Bool { X509_NAME_cmp(X509_get_subject_name(handle), X509_get_issuer_name(handle)) == 0 }

    /// Whether it may sign others.
    package var isAuthority: Bool { X509_check_ca(handle) > 0 }

    /// The last second in which it holds, counted from 1970; `nil` if it says nothing sensible.
    package var end: Int? {
        var days: Int32 = 0
        var seconds: Int32 = 0
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        guard ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(handle)) == 1 else {
            ERR_clear_error()
            return nil
        }
        return Int(days) * 86_400 + Int(seconds)
    }

    /// Whether it is for a host: a name, or an address without brackets.
    package func isFor(_ host: String) -> Bool {
        defer { ERR_clear_error() }
        return X509_check_ip_asc(handle, host, 0) == 1 || X509_check_host(handle, host, host.utf8.count, 0, nil) == 1
    }

    private static func text(of name: OpaquePointer?) -> String {
        guard let memory = try? MemoryBIO() else { return "" }
        let escaping = ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_UTF8_CONVERT
        let dumping = ASN1_STRFLGS_DUMP_UNKNOWN | ASN1_STRFLGS_DUMP_DER | XN_FLAG_DUMP_UNKNOWN_FIELDS
        let form = XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV | XN_FLAG_FN_SN
        X509_NAME_print_ex(memory.handle, name, 0, UInt(escaping | dumping | form))
        ERR_clear_error()
        return String(memory.text.prefix(200))
    }
}
