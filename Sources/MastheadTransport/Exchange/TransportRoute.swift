/// The way to the server.
///
/// Part of each exchange, and of what decides which kept connection serves it: nothing of it leaks to another.
package struct TransportRoute: Sendable, Hashable {
    /// A proxy between here and the server.
    package struct Proxy: Sendable, Hashable {
        /// `http://`, `https://`, `socks5h://`, `socks5://` or `socks4a://`, host and port.
        package var url: String
        package var user: String?
        package var password: String?
        /// Hosts and networks that are reached without it, as libcurl lists them.
        package var exceptions: [String] = []

        package init(url: String, user: String? = nil, password: String? = nil, exceptions: [String] = []) {
            self.url = url
            self.user = user
            self.password = password
            self.exceptions = exceptions
        }
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
    /// The address or the interface connections leave from.
    package var localAddress: String?
    package var family = Family.any
    /// How long the first family is tried alone (RFC 8305, section 5); `nil` leaves it to libcurl: 200 ms.
    package var happyEyeballsDelay: Duration?

    package init() {}
}
