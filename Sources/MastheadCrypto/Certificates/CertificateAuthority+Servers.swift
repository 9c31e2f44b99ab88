#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension CertificateAuthority {
    /// Issues a server's certificate.
    ///
    /// - Parameters:
    ///   - names: The DNS names it is for; a `*` may be a name's first label.
    ///   - addresses: The IPv4 and IPv6 addresses it is for.
    ///   - key: The server's key; `nil` makes one, that of an earlier identity renews its certificate.
    ///   - validity: When it holds.
    /// - Returns: The certificate and its key.
    /// - Throws: ``CryptoError/invalidInput(_:)`` if there is neither name nor address, or one that is none.
    package func issue(
        names: [String],
        addresses: [String] = [],
        key: PrivateKey? = nil,
        validity: Validity = .aroundNow
    ) throws(CryptoError) -> Identity {
        let holder = try Self.Holder(names: names, addresses: addresses, key: key)
        let made = try holder.certificate(by: (name, self.key, certificate), validity)
        return Identity(certificate: made, key: holder.key, issuer: certificate)
    }

    /// Issues a client's certificate, for TLS with both sides known.
    ///
    /// - Parameters:
    ///   - client: Whose it is: its common name.
    ///   - key: The client's key; `nil` makes one.
    ///   - validity: When it holds.
    /// - Returns: The certificate and its key.
    /// - Throws: What kept OpenSSL from it.
    package func issue(
        client: String,
        key: PrivateKey? = nil,
        validity: Validity = .aroundNow
    ) throws(CryptoError) -> Identity {
        let clientKey = try PrivateKey.orNew(key)
        let builder = try CertificateBuilder()
        try builder.describe(subject: client, issuer: name, key: clientKey, validity: validity)
        try builder.add(.basicConstraints, "critical,CA:FALSE")
        try builder.add(.keyUsage, "critical,digitalSignature")
        try builder.add(.extendedKeyUsage, "clientAuth")
        try builder.add(.subjectKeyIdentifier, "hash")
        try builder.add(.authorityKeyIdentifier, "keyid:always", issuer: certificate)
        return Identity(certificate: try builder.sign(with: self.key), key: clientKey, issuer: certificate)
    }

    /// Makes a server's certificate that nobody vouches for but its own key.
    package static func selfSigned(
        names: [String],
        addresses: [String] = [],
        key: PrivateKey? = nil,
        validity: Validity = .aroundNow
    ) throws(CryptoError) -> Identity {
        let holder = try Holder(names: names, addresses: addresses, key: key)
        let made = try holder.certificate(by: (holder.subject, holder.key, nil), validity)
        return Identity(certificate: made, key: holder.key, issuer: nil)
    }

    /// Whom a server's certificate is for.
    private struct Holder {
        let subject: String
        let alternatives: String
        let key: PrivateKey

        init(names: [String], addresses: [String], key: PrivateKey?) throws(CryptoError) {
            let alternatives =
                try names.map { name throws(CryptoError) in
                    guard Self.isName(name) else { throw .invalidInput("\"\(name)\" is no DNS name") }
                    return "DNS:\(name)"
                }
                + addresses.map { address throws(CryptoError) in
                    guard Self.isAddress(address) else { throw .invalidInput("\"\(address)\" is no IP address") }
                    return "IP:\(address)"
                }
            guard !alternatives.isEmpty else { throw .invalidInput("a certificate needs a name or an address") }
            self.alternatives = alternatives.joined(separator: ",")
            subject = (names + addresses).first ?? ""
            self.key = try PrivateKey.orNew(key)
        }

        func certificate(
            by issuer: (name: String, key: PrivateKey, certificate: Certificate?),
            _ validity: Validity
        ) throws(CryptoError) -> Certificate {
            let builder = try CertificateBuilder()
            try builder.describe(subject: subject, issuer: issuer.name, key: key, validity: validity)
            try builder.add(.basicConstraints, "critical,CA:FALSE")
            try builder.add(.keyUsage, "critical,digitalSignature")
            try builder.add(.extendedKeyUsage, "serverAuth")
            try builder.add(.subjectKeyIdentifier, "hash")
            if let certificate = issuer.certificate {
                try builder.add(.authorityKeyIdentifier, "keyid:always", issuer: certificate)
            }
            try builder.add(.subjectAlternativeName, alternatives)
            return try builder.sign(with: issuer.key)
        }

        private static func isName(_ name: String) -> Bool {
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            return name.utf8.count <= 253
                && labels.enumerated().allSatisfy { index, label in
                    (index == 0 && label == "*" && labels.count > 1)
                        || (1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isLabelByte)
                }
        }

        private static func isLabelByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }

        // OpenSSL's own reading of addresses takes ":" for one.
        private static func isAddress(_ address: String) -> Bool {
            withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { bytes in
                [AF_INET, AF_INET6].contains { inet_pton($0, address, bytes.baseAddress) == 1 }
            }
        }
    }
}
