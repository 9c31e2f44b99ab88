import CMastheadCurl

extension EasyHandle {
    /// Sets the way to the server, if it is another one than before.
    func setRoute(_ route: TransportRoute, _ policy: TrustPolicy) throws(TransportError) {
        guard self.route != route else { return }
        // Until all of it is set, it is none.
        self.route = nil
        try setProxy(route.proxy, policy)
        try setConnectTo(route.connectTo)
        try set(CURLOPT_UNIX_SOCKET_PATH, route.unixSocketPath)
        try set(CURLOPT_INTERFACE, route.localAddress)
        let family =
            switch route.family {
            case .any: CURL_IPRESOLVE_WHATEVER
            case .ipv4: CURL_IPRESOLVE_V4
            case .ipv6: CURL_IPRESOLVE_V6
            }
        try set(CURLOPT_IPRESOLVE, Int(family))
        let delay = route.happyEyeballsDelay.map { $0.milliseconds() } ?? Int(CURL_HET_DEFAULT)
        try set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, delay)
        self.route = route
    }

    private func setProxy(_ proxy: TransportRoute.Proxy?, _ policy: TrustPolicy) throws(TransportError) {
        // An empty proxy is none, whatever the environment says; and so are the empty exceptions.
        try set(CURLOPT_PROXY, proxy?.url ?? "")
        try set(CURLOPT_NOPROXY, proxy?.exceptions.joined(separator: ",") ?? "")
        try set(CURLOPT_PROXYUSERNAME, proxy?.user)
        try set(CURLOPT_PROXYPASSWORD, proxy?.password)
        guard proxy != nil else { return }
        // The head of its answer to CONNECT is not the server's.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_PROXY_CAPATH, nil)
        if let file = policy.certificateAuthorityFile { try set(CURLOPT_PROXY_CAINFO, file) }
    }
}
