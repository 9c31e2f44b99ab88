import CMastheadCurl

/// The TLS sessions that a loop's handles have in common, freed with this object: libcurl 7.88 would keep them for each
/// handle alone, and lose them with it.
///
/// Nothing else is shared, and with no other loop: who goes on with a session is not asked for a certificate.
final class SessionShare {
    let pointer: UnsafeMutableRawPointer

    init() throws(TransportError) {
        guard let pointer = curl_share_init() else { throw .setup("curl_share_init") }
        self.pointer = pointer
        // One thread at a time has the loop's handles, so nothing needs a lock.
        guard masthead_curl_share_setopt_share(pointer, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else {
            throw .setup("CURLSHOPT_SHARE")
        }
    }

    deinit {
        curl_share_cleanup(pointer)
    }
}
