import CMastheadOpenSSL

extension CertificateAuthority {
    /// What an authority says of a certificate (RFC 6960, section 2.2).
    package enum CertificateStatus: Sendable, Hashable {
        case good
        case revoked
        case unknown

        fileprivate var code: Int32 {
            switch self {
            case .good: V_OCSP_CERTSTATUS_GOOD
            case .revoked: V_OCSP_CERTSTATUS_REVOKED
            case .unknown: V_OCSP_CERTSTATUS_UNKNOWN
            }
        }
    }

    /// Says how a certificate of this authority stands, as an OCSP response that a server staples (RFC 6066, section 8).
    ///
    /// - Parameters:
    ///   - certificate: The certificate; one of another authority gives an answer that nobody asked for.
    ///   - status: What is said.
    ///   - validity: From when to when it is said.
    /// - Returns: The response as DER, signed with the authority's own key.
    /// - Throws: What kept OpenSSL from it.
    package func staple(
        for certificate: Certificate,
        _ status: CertificateStatus = .good,
        validity: Validity = Validity(start: -3600, end: 3600)
    ) throws(CryptoError) -> [UInt8] {
        guard let basic = OCSP_BASICRESP_new() else { throw .last("OCSP_BASICRESP_new") }
        defer { OCSP_BASICRESP_free(basic) }
        guard let identifier = OCSP_cert_to_id(EVP_sha1(), certificate.handle, self.certificate.handle) else {
            throw .last("OCSP_cert_to_id")
        }
        defer { OCSP_CERTID_free(identifier) }
        let times = [validity.start, validity.end].map { X509_gmtime_adj(nil, $0) }
        defer { for time in times { ASN1_STRING_free(time) } }
        let revocation = status == .revoked ? times[0] : nil
        let reason = status == .revoked ? OCSP_REVOKED_STATUS_KEYCOMPROMISE : 0
        guard
            OCSP_basic_add1_status(basic, identifier, status.code, reason, revocation, times[0], times[1]) != nil,
            OCSP_basic_sign(basic, self.certificate.handle, key.handle, key.signatureDigest, nil, 0) == 1
        else { throw .last("OCSP_basic_sign") }
        guard let response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic) else {
            throw .last("OCSP_response_create")
        }
        defer { OCSP_RESPONSE_free(response) }
        return try .encoded("i2d_OCSP_RESPONSE") { i2d_OCSP_RESPONSE(response, $0) }
    }
}
