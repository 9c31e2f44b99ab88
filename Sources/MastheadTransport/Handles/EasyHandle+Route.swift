import CMastheadCurl

extension EasyHandle {
    /// Sets the way to the server: once, since every exchange of a loop has the same.
    func setRoute(of loop: LoopKey) throws(TransportError) {
        let route = loop.route
        // An empty proxy is none, whatever `http_proxy` and its kin say in the environment; so are the empty exceptions.
        try set(CURLOPT_PROXY, route.proxy?.url ?? "")
        try set(CURLOPT_NOPROXY, "")
        if let proxy = route.proxy { try setProxy(proxy) }
        if !route.connectTo.isEmpty { try setConnectTo(route.connectTo) }
        try set(CURLOPT_UNIX_SOCKET_PATH, route.unixSocketPath)
        try set(CURLOPT_INTERFACE, route.localAddress)
        switch route.family {
        case .any: break
        case .ipv4: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        if let delay = route.happyEyeballsDelay {
            try set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, max(1, delay.milliseconds()))
        }
    }

    private func setProxy(_ proxy: TransportRoute.Proxy) throws(TransportError) {
        try set(CURLOPT_PROXYUSERNAME, proxy.user)
        try set(CURLOPT_PROXYPASSWORD, proxy.password)
        // The head of its answer to CONNECT is not the server's.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }
}
