package import FoundationEssentials
package import MastheadTransport

extension TransportRoute {
    /// The way of one request; without the proxy if its host is an exception.
    package init(_ route: NetworkRoute, to url: URL) throws(RepositoryError) {
        self.init()
        // Nearly every configuration has none, and this is on every request's way.
        guard route != .direct else { return }
        try self.init(route)
        guard let proxy = route.proxy, !proxy.exceptions.isEmpty else { return }
        let host = try MastheadNetworking.Origin(URLReference(url.absoluteString)).host
        if proxy.exceptions.contains(where: { ProxyException($0)?.covers(host) == true }) { self.proxy = nil }
    }

    /// The way, checked.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` for an impossible one.
    init(_ route: NetworkRoute) throws(RepositoryError) {
        self.init()
        if let path = route.unixSocket {
            try require(path.utf8.count <= 107, "unixSocket is longer than the 107 bytes that a socket's path may have")
            try require(!path.isEmpty && !path.utf8.contains(0), "unixSocket is empty, or holds a NUL")
            try require(
                route == .unixSocket(path),
                "unixSocket excludes a proxy, addresses and all else: leave them out"
            )
            unixSocketPath = path
            return
        }
        proxy = try route.proxy.map { proxy throws(RepositoryError) in try Proxy(proxy) }
        connectTo = try Self.connectTo(route.addresses)
        if let address = route.localAddress { localAddress = try Self.local(address, route.addressFamily) }
        family =
            switch route.addressFamily {
            case .any: .any
            case .ipv4: .ipv4
            case .ipv6: .ipv6
            }
        if let delay = route.happyEyeballsDelay {
            try require(delay >= .milliseconds(10), "happyEyeballsDelay is under 10 ms, the least of RFC 8305")
            happyEyeballsDelay = delay
        }
    }

    private static func connectTo(_ addresses: [String: String]) throws(RepositoryError) -> [String] {
        var entries: [String: String] = [:]
        for (name, text) in addresses {
            let host = try HostPort(name, of: "route: a host of addresses")
            let address = try HostPort(text, of: "route: the address of \(host.host)")
            try require(address.isAddress, "the address of \(host.host) is a name: give an IPv4 or IPv6 address")
            let source = "\(host.host.lowercased()):\(host.port.map { "\($0)" } ?? "")"
            let target = "\(address.host):\(address.port.map { "\($0)" } ?? "")"
            try require(entries.updateValue(target, forKey: source) == nil, "addresses names \(host.host) twice")
        }
        // libcurl takes the first that fits: those with a port come before those without.
        return entries.sorted { ($0.key.hasSuffix(":") ? 1 : 0, $0.key) < ($1.key.hasSuffix(":") ? 1 : 0, $1.key) }
            .map { "\($0.key):\($0.value)" }
    }

    private static func local(
        _ text: String,
        _ family: NetworkRoute.AddressFamily
    ) throws(RepositoryError) -> String {
        if let address = IPAddress(text) {
            try require(family == .any || address.isIPv4 == (family == .ipv4), "localAddress is not of addressFamily")
            return "host!\(text)"
        }
        let isName =
            (1...15).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        try require(isName, "localAddress is neither an address nor the name of an interface")
        return "if!\(text)"
    }
}

extension TransportRoute.Proxy {
    fileprivate init(_ proxy: ProxyServer) throws(RepositoryError) {
        let server = try HostPort(proxy.host, of: "route: the proxy's host")
        try require(server.port == nil, "the proxy's host holds a port: give it as port")
        try require(1...65535 ~= proxy.port, "the proxy's port is not between 1 and 65535")
        let scheme =
            switch proxy.kind {
            case .http: "http"
            case .https: "https"
            case .socks5: "socks5h"
            case .socks4a: "socks4a"
            }
        for text in [proxy.user, proxy.password?.value] {
            guard let text else { continue }
            try require(
                !text.utf8.contains(where: \.isControl),
                "the proxy's user or password holds a control character"
            )
            try require(text.utf8.count <= 255, "the proxy's user or password is longer than 255 bytes")
        }
        try require(proxy.user != nil || proxy.password == nil, "the proxy has a password and no user")
        try require(proxy.user?.isEmpty != true, "the proxy's user is empty: `nil` stands for none")
        try require(proxy.kind != .socks4a || proxy.password == nil, "socks4a knows no password: take socks5")
        // RFC 7617, section 2.
        try require(proxy.user?.contains(":") != true, "the proxy's user holds a colon")
        for exception in proxy.exceptions {
            let isException = ProxyException(exception) != nil
            try require(
                isException,
                "an exception of the proxy is no name, address, network or `*`: \(exception.prefix(64))"
            )
        }
        self.init(url: "\(scheme)://\(server.host):\(proxy.port)", user: proxy.user, password: proxy.password?.value)
    }
}

private func require(_ condition: Bool, _ reason: String) throws(RepositoryError) {
    guard condition else { throw .invalidConfiguration(reason: "route: \(reason)") }
}
