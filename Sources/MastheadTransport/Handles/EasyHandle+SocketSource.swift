import CMastheadCurl

extension EasyHandle {
    /// Takes connections from a source; the loop's policy, which keeps it, outlives the handle's last exchange.
    func setSocketSource(_ source: SocketSource) throws(TransportError) {
        try set(CURLOPT_OPENSOCKETDATA, pointer: Unmanaged.passUnretained(source).toOpaque())
        try set(CURLOPT_OPENSOCKETFUNCTION, openSocket)
        try set(CURLOPT_SOCKOPTFUNCTION, declareConnected)
    }
}

private let openSocket: EasyHandle.SocketCallback = { context, _, _ in
    guard let context else { return CURL_SOCKET_BAD }
    return Unmanaged<SocketSource>.fromOpaque(context).takeUnretainedValue().connect() ?? CURL_SOCKET_BAD
}

private let declareConnected: EasyHandle.SocketOptionCallback = { _, _, _ in
    CURL_SOCKOPT_ALREADY_CONNECTED
}
