import CMastheadCurl

extension EasyHandle {
    /// The options every exchange has, whatever it asks.
    func setTransportDefaults(policy: TrustPolicy) throws(TransportError) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // Redirects, retries, cookies and passwords are decided above, never here or by a file of the user's.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        // An empty proxy is none, whatever `http_proxy` and its kin say in the environment.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // libcurl keeps the parsed store of authorities between connections only while there is no folder of them:
        // with it, each new TLS connection parses the system's 140 certificates again.
        try set(CURLOPT_CAPATH, nil)
        if let file = policy.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
        // A cancelled exchange doesn't wait for a name look-up that never answers.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_BUFFERSIZE, 64 << 10)
        try set(CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10)
    }

    /// Sets how long a connection may take to be made.
    func setConnectTimeout(_ timeout: Duration) throws(TransportError) {
        guard connectTimeout != timeout else { return }
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, timeout.milliseconds()))
        connectTimeout = timeout
    }

    /// Takes back the method and the body of the exchange before.
    func forgetMethod() throws(TransportError) {
        guard hasMethod else { return }
        // This takes back `UPLOAD` and `NOBODY` too.
        try set(CURLOPT_HTTPGET, 1)
        try set(CURLOPT_CUSTOMREQUEST, nil)
        hasMethod = false
    }

    /// Sets the header lines.
    func setHeaders(of request: TransportRequest) throws(TransportError) {
        try setHeaderLines(of: request.headers) { () throws(TransportError) in
            let list = HeaderList()
            var asksForCoding = false
            for field in request.headers {
                let name = field.name.lowercased()
                // The transport knows how the body is framed; a second word on it would be a second truth.
                if name == "content-length" || name == "transfer-encoding" { continue }
                if name == "accept-encoding" { asksForCoding = true }
                // libcurl takes "Name:" for "leave this header out", and "Name;" for one without a value.
                try list.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            if !asksForCoding { try list.append("Accept-Encoding: \(ContentCoding.accepted)") }
            // Without this libcurl waits a second for "100 Continue".
            try list.append("Expect:")
            return list
        }
    }
}
