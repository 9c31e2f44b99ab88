/// The way to the server.
///
/// Exchanges share a loop only with those of an equal route: libcurl would hand a connection that is bound to a local address
/// to the next exchange that asks for none.
package struct TransportRoute: Sendable, Hashable {
    /// A proxy between here and the server.
    package struct Proxy: Sendable, Hashable {
        /// `http://`, `https://`, `socks5h://` or `socks4a://`, host and port.
        package var url: String
        package var user: String?
        package var password: String?

        package init(url: String, user: String? = nil, password: String? = nil) {
            self.url = url
            self.user = user
            self.password = password
        }

        /// Whether it answers a request for `http` itself, in the server's place.
        var answersInPlain: Bool { url.hasPrefix("http") }
    }

    /// Which addresses of a host are used.
    package enum Family: Sendable, Hashable {
        case any
        case ipv4
        case ipv6
    }

    package var proxy: Proxy?
    /// `host:port:address:port`, as libcurl's `CONNECT_TO` has it.
    package var connectTo: [String] = []
    package var unixSocketPath: String?
    /// The address (`host!…`) or the interface (`if!…`) that connections leave from.
    package var localAddress: String?
    package var family = Family.any
    /// How long the first family is tried alone (RFC 8305, section 5); `nil` leaves it to libcurl: 200 ms.
    package var happyEyeballsDelay: Duration?

    package init() {}
}
