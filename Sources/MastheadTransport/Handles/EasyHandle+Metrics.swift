import CMastheadCurl

extension EasyHandle {
    /// The announced length of the body; `nil` if there is none.
    var expectedLength: Int? {
        let length = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, default: -1)
        return length >= 0 ? length : nil
    }

    /// Adds what libcurl measured of the exchange.
    ///
    /// - Parameters:
    ///   - metrics: What is known of it.
    ///   - ends: The ends of the connection that it was sent on; `nil` if it was sent on none.
    ///   - hasBody: Whether there is a body to send.
    func addMeasurements(to metrics: inout TransportMetrics, on ends: KeptSockets.Ends?, hasBody: Bool) {
        // Its times count from the start of the exchange.
        let firstByte = offset(CURLINFO_STARTTRANSFER_TIME_T)
        if firstByte > 0 { metrics.firstByte = .microseconds(firstByte) }
        let wasConnected = firstByte > 0 || offset(CURLINFO_PRETRANSFER_TIME_T) > 0
        metrics.isReused = wasConnected && number(CURLINFO_NUM_CONNECTS) == 0
        if !metrics.isReused { addConnecting(to: &metrics) }
        switch number(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_2_0: metrics.version = .http2
        case 0: metrics.version = nil
        default: metrics.version = .http1
        }
        metrics.sentBytes = number(CURLINFO_REQUEST_SIZE) + (hasBody ? offset(CURLINFO_SIZE_UPLOAD_T) : 0)
        metrics.receivedBytes = number(CURLINFO_HEADER_SIZE) + offset(CURLINFO_SIZE_DOWNLOAD_T)
        if let ends { metrics.add(ends) } else { metrics.add(self.ends) }
    }

    private func addConnecting(to metrics: inout TransportMetrics) {
        let lookup = offset(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = offset(CURLINFO_CONNECT_TIME_T)
        let tls = offset(CURLINFO_APPCONNECT_TIME_T)
        if lookup > 0 { metrics.nameLookup = .microseconds(lookup) }
        if connect > 0 { metrics.connect = .microseconds(max(0, connect - lookup)) }
        if tls > 0 { metrics.tls = .microseconds(max(0, tls - connect)) }
    }

    private func offset(_ info: CURLINFO, default missing: Int = 0) -> Int {
        var value = curl_off_t(missing)
        let code = masthead_curl_easy_getinfo_offset(pointer, info, &value)
        return code == CURLE_OK ? Int(value) : missing
    }
}

extension TransportMetrics {
    fileprivate mutating func add(_ ends: KeptSockets.Ends) {
        if !ends.remote.text.isEmpty { remoteAddress = ends.remote }
        if !ends.local.text.isEmpty { localAddress = ends.local }
    }
}
