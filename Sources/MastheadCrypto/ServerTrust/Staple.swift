import CMastheadOpenSSL

/// What a server proved of its certificate's revocation (OCSP, RFC 6960; stapled: RFC 6066, section 8).
package enum Staple: Sendable, Hashable {
    /// It proved nothing.
    case missing
    /// Its certificate is good, says who issued it, or whom that one lets say so.
    case good
    /// Its certificate was revoked.
    case revoked
    /// What it showed proves nothing, and why.
    case invalid(String)

    /// How far two clocks may differ, in seconds.
    private static let tolerance = 300

    /// How old an answer may be that does not say when the next one comes, in seconds: a week.
    private static let longestAge = 7 * 86_400

    /// Reads what the server of a connection showed.
    init(of connection: OpaquePointer) {
        var bytes: UnsafePointer<UInt8>?
        let count = masthead_openssl_SSL_get_tlsext_status_ocsp_resp_bytes(connection, &bytes)
        guard count > 0, bytes != nil else {
            self = .missing
            return
        }
        defer { ERR_clear_error() }
        guard let response = d2i_OCSP_RESPONSE(nil, &bytes, count) else {
            self = .invalid("it is none")
            return
        }
        defer { OCSP_RESPONSE_free(response) }
        // The server's responder had no answer for it: so it has none for us.
        guard OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL else {
            self = .missing
            return
        }
        guard let answers = OCSP_response_get1_basic(response) else {
            self = .invalid("it is none")
            return
        }
        defer { OCSP_BASICRESP_free(answers) }
        let chain = SSL_get0_verified_chain(connection)
        let store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(connection))
        guard OCSP_basic_verify(answers, chain, store, 0) == 1 else {
            self = .invalid("it is not signed by whom it should")
            return
        }
        self = Self.read(answers, of: chain)
    }

    /// What the answers say of the first certificate of a chain.
    private static func read(_ answers: OpaquePointer, of chain: OpaquePointer?) -> Staple {
        guard OPENSSL_sk_num(chain) > 0, let leaf = OPENSSL_sk_value(chain, 0).map(OpaquePointer.init) else {
            return .invalid("there is no chain that it could be about")
        }
        // A root is its own issuer.
        let issuer = OPENSSL_sk_value(chain, OPENSSL_sk_num(chain) > 1 ? 1 : 0).map(OpaquePointer.init)
        for index in 0..<max(0, OCSP_resp_count(answers)) {
            guard let answer = OCSP_resp_get0(answers, index), isAbout(answer, leaf, issuer) else { continue }
            var since: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            var until: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
            let status = OCSP_single_get0_status(answer, nil, nil, &since, &until)
            // What is revoked stays so.
            if status == V_OCSP_CERTSTATUS_REVOKED { return .revoked }
            guard OCSP_check_validity(since, until, tolerance, until == nil ? longestAge : -1) == 1 else {
                return .invalid("it is not of this time")
            }
            return status == V_OCSP_CERTSTATUS_GOOD ? .good : .invalid("it does not know the certificate")
        }
        return .invalid("it is about another certificate")
    }

    private static func isAbout(_ answer: OpaquePointer, _ leaf: OpaquePointer, _ issuer: OpaquePointer?) -> Bool {
        guard let named = OCSP_SINGLERESP_get0_id(answer) else { return false }
        // Who answers chooses how certificates are named.
        var algorithm: OpaquePointer?
        let copy = OCSP_CERTID_dup(named)
        defer { OCSP_CERTID_free(copy) }
        guard OCSP_id_get0_info(nil, &algorithm, nil, nil, copy) == 1,
            let digest = EVP_get_digestbyname(OBJ_nid2sn(OBJ_obj2nid(algorithm))),
            let wanted = OCSP_cert_to_id(digest, leaf, issuer)
        else { return false }
        defer { OCSP_CERTID_free(wanted) }
        return OCSP_id_cmp(wanted, copy) == 0
    }
}
