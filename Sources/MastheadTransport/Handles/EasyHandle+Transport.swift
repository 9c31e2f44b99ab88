import CMastheadCurl

extension EasyHandle {
    /// Sets all of an exchange.
    ///
    /// Of a kept handle only what differs between exchanges is set: all of it would cost as much as the exchange. What
    /// every exchange has in common is never set again, since libcurl refuses a buffer's size while it has the buffer,
    /// which it keeps after an exchange over a connection that others still use.
    func setUp(
        for request: TransportRequest,
        on loop: LoopKey,
        isSecure: Bool,
        multiplexes: Bool?,
        freshness: Freshness,
        era: Int,
        wantsRemarks: Bool,
        context: UnsafeMutableRawPointer
    ) throws(TransportError) {
        forgetMessage()
        if !isSetUp {
            try setStandingOptions(of: loop)
            isSetUp = true
        }
        try setConnectTimeout(request.limits.connectTimeout)
        try setURL(request.url)
        // While nobody knows whether the host speaks HTTP/2, the first connection tells; then the others need not exist.
        try set(CURLOPT_PIPEWAIT, isSecure && multiplexes != false ? 1 : 0)
        try setFreshness(freshness, of: loop, multiplexes: multiplexes)
        try setEra(era)
        try allowReuse()
        try setRemarks(wantsRemarks && isSecure && multiplexes != false, context: context)
        try set(CURLOPT_WRITEDATA, pointer: context)
        try set(CURLOPT_HEADERDATA, pointer: context)
        try set(CURLOPT_PREREQDATA, pointer: context)
        // Also a proxy's TLS is set up with it.
        try set(CURLOPT_SSL_CTX_DATA, pointer: context)
        if asksBeforeConnecting { try set(CURLOPT_OPENSOCKETDATA, pointer: context) }
        try setMethod(of: request, context: context)
        let isReadByProxy = !isSecure && loop.route.proxy?.answersInPlain == true
        try setHeaders(
            isReadByProxy ? request.headers : HeaderField.withoutThoseForProxies(request.headers),
            announceBody: request.announcesBody
        )
    }

    /// The options every exchange of a loop has, whatever it asks.
    private func setStandingOptions(of loop: LoopKey) throws(TransportError) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // Redirects, retries, cookies and passwords are decided above, never here or by a file of the user's.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try setRoute(of: loop)
        try setTrust(of: loop)
        // A cancelled exchange doesn't wait for a name look-up that never answers.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        // A big buffer saves a quarter of a download's time, and is held by each exchange under way.
        let bufferSize = loop.purpose == .files ? 512 << 10 : 64 << 10
        try set(CURLOPT_BUFFERSIZE, bufferSize)
        try set(CURLOPT_UPLOAD_BUFFERSIZE, bufferSize)
        try set(CURLOPT_WRITEFUNCTION, receiveBody)
        try set(CURLOPT_HEADERFUNCTION, receiveHeader)
        try set(CURLOPT_PREREQFUNCTION, approveSending)
        if let source = loop.policy.socketSource {
            try setSocketSource(source)
        } else if loop.policy.tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks, loop.route.unixSocketPath == nil {
            try set(CURLOPT_OPENSOCKETFUNCTION, openPrivateSocket)
            asksBeforeConnecting = true
        }
        // libcurl repeats a request by itself when a kept connection dies, unless it believes to be receiving RTSP: this
        // leaves it the repeating of what an HTTP/2 server refused, so that its asking leave for that is a sure sign.
        try set(CURLOPT_RTSP_REQUEST, CURL_RTSPREQ_RECEIVE)
        try set(CURLOPT_SEEKFUNCTION, agreeToRewind)
        try set(CURLOPT_DEBUGFUNCTION, hearRemark)
    }

    /// What an exchange may share with those before it.
    enum Freshness {
        /// Their connections and TLS sessions.
        case any
        /// Their TLS sessions alone.
        case connection
        /// Nothing.
        case session
    }

    private func setFreshness(
        _ freshness: Freshness,
        of loop: LoopKey,
        multiplexes: Bool?
    ) throws(TransportError) {
        // Over HTTP/2 the lost connection is known to be gone, and a hundred streams must not make one each; but a
        // connection that is not trusted any more may still be there.
        let isFresh = freshness == .session || freshness == .connection && multiplexes != true
        try set(CURLOPT_FRESH_CONNECT, isFresh ? 1 : 0)
        // Who goes on with a session proves nothing again.
        try setSessions(areKept: freshness != .session && loop.policy.tls.stapling != .required)
    }

    /// Has libcurl remark on an exchange: it costs a twentieth of one, and only one that must not be repeated needs it.
    private func setRemarks(_ areWanted: Bool, context: UnsafeMutableRawPointer) throws(TransportError) {
        if areWanted { try set(CURLOPT_DEBUGDATA, pointer: context) }
        guard areWanted != makesRemarks else { return }
        try set(CURLOPT_VERBOSE, areWanted ? 1 : 0)
        makesRemarks = areWanted
    }

    /// Sets how long a connection may take to be made.
    private func setConnectTimeout(_ timeout: Duration) throws(TransportError) {
        guard connectTimeout != timeout else { return }
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, timeout.milliseconds()))
        connectTimeout = timeout
    }

    private func setMethod(of request: TransportRequest, context: UnsafeMutableRawPointer) throws(TransportError) {
        if hasMethod {
            // This takes back `UPLOAD` and `NOBODY` too.
            try set(CURLOPT_HTTPGET, 1)
            try set(CURLOPT_CUSTOMREQUEST, nil)
            hasMethod = false
        }
        if request.method == "GET", request.body == nil { return }
        // libcurl would wait for the body of the answer too.
        if request.method == "HEAD", request.body != nil { throw .invalidRequest("a HEAD request carries no body") }
        hasMethod = true
        if request.announcesBody {
            try set(CURLOPT_UPLOAD, 1)
            try set(CURLOPT_INFILESIZE_LARGE, offset: request.body.map { $0.length ?? -1 } ?? 0)
            try set(CURLOPT_READDATA, pointer: context)
            try set(CURLOPT_READFUNCTION, sendBody)
        } else if request.method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        }
        if request.announcesBody || !["GET", "HEAD"].contains(request.method) {
            try set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    /// Sets the header lines.
    private func setHeaders(_ fields: [HeaderField], announceBody: Bool) throws(TransportError) {
        try setHeaderLines(of: fields, announceBody: announceBody) { () throws(TransportError) in
            let list = StringList()
            var asksForCoding = false
            for field in fields {
                let name = field.name.lowercased()
                // The transport knows how the body is framed; a second word on it would be a second truth.
                if name == "content-length" || name == "transfer-encoding" { continue }
                if name == "accept-encoding" { asksForCoding = true }
                // libcurl takes "Name:" for "leave this header out", and "Name;" for one without a value.
                try list.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            if !asksForCoding { try list.append("Accept-Encoding: \(ContentCoding.accepted)") }
            // Without this libcurl waits a second for "100 Continue"; where there is no body, it only costs time.
            if announceBody { try list.append("Expect:") }
            return list
        }
    }
}
