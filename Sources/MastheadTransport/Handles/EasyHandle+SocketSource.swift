import CMastheadCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension EasyHandle {
    /// Takes connections from a source; the loop's policy, which keeps it, outlives the handle's last exchange.
    func setSocketSource(_ source: SocketSource) throws(TransportError) {
        try set(CURLOPT_OPENSOCKETDATA, pointer: Unmanaged.passUnretained(source).toOpaque())
        try set(CURLOPT_OPENSOCKETFUNCTION, openSocket)
        try set(CURLOPT_SOCKOPTFUNCTION, declareConnected)
    }

    /// Has each new connection ask for more to send only when little of what it was given is unsent.
    ///
    /// Without it the system takes megabytes at once, and for minutes nobody can tell a slow upload from a stalled one.
    func setSendingLimit() throws(TransportError) {
        try set(CURLOPT_SOCKOPTFUNCTION, limitUnsentBytes)
    }
}

private let openSocket: EasyHandle.SocketCallback = { context, _, _ in
    guard let context else { return CURL_SOCKET_BAD }
    return Unmanaged<SocketSource>.fromOpaque(context).takeUnretainedValue().connect() ?? CURL_SOCKET_BAD
}

private let limitUnsentBytes: EasyHandle.SocketOptionCallback = { _, socket, _ in
    var limit: Int32 = 128 << 10
    // A system without it, and a socket that is not TCP's, do without.
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &limit, socklen_t(MemoryLayout<Int32>.size))
    return CURL_SOCKOPT_OK
}

private let declareConnected: EasyHandle.SocketOptionCallback = { _, _, _ in
    CURL_SOCKOPT_ALREADY_CONNECTED
}
