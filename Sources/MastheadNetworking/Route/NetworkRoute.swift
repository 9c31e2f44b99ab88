/// The way to the server, where it is not the usual one: through a proxy, to an address or a socket of the app's choice.
///
/// ```swift
/// let office = NetworkRoute.proxy(ProxyServer(.http, host: "proxy.example.com", port: 3128))
/// let staging = NetworkRoute { $0.addresses = ["api.example.com": "127.0.0.1:8443"] }
/// let local = NetworkRoute.unixSocket("/run/publisher.sock")
/// ```
///
/// It holds for all requests of a ``NetworkingConfiguration``, redirects included, and for no other: connections,
/// addresses and TLS sessions are shared only between equal routes. ``NetworkingConfiguration/validate()`` refuses an
/// impossible one. See <doc:Routes>.
public struct NetworkRoute: Sendable, Hashable {
    /// Which addresses of a host are used.
    public enum AddressFamily: String, Sendable, Hashable, CaseIterable {
        /// Both, as fast as one of them answers (RFC 8305).
        case any
        /// IPv4 alone.
        case ipv4
        /// IPv6 alone.
        case ipv6
    }

    /// The usual way.
    public static let direct = NetworkRoute()

    /// The proxy; `nil`, the default, goes without, whatever the environment says.
    public var proxy: ProxyServer?

    /// Addresses that stand for hosts, instead of what DNS would answer; none by default.
    ///
    /// A key is a host, with a port if it is meant for that alone; a value is an IPv4 or IPv6 address, with a port if
    /// another one is to be taken: `["api.example.com": "127.0.0.1", "[2001:db8::1]:443": "[::1]:8443"]`. The `Host` field
    /// and the name that the certificate must have stay the host's own.
    public var addresses: [String: String] = [:]

    /// The path of a Unix socket to which every request goes, whatever its host; `nil`, the default, for none.
    ///
    /// It has at most 107 bytes, and excludes all else.
    public var unixSocket: String?

    /// The address, or the name of the network interface, from which connections leave; `nil`, the default, leaves it to
    /// the system.
    public var localAddress: String?

    /// Which addresses of a host are used; both families by default.
    public var addressFamily: AddressFamily = .any

    /// How long the first family is tried alone, before the other is tried beside it (RFC 8305, section 5).
    ///
    /// At least 10 ms; `nil`, the default, is 200 ms.
    public var happyEyeballsDelay: Duration?

    /// Makes a route.
    public init(_ configure: (inout NetworkRoute) -> Void = { _ in }) {
        configure(&self)
    }

    /// The way through a proxy.
    public static func proxy(_ server: ProxyServer) -> NetworkRoute {
        NetworkRoute { $0.proxy = server }
    }

    /// The way to a Unix socket.
    public static func unixSocket(_ path: String) -> NetworkRoute {
        NetworkRoute { $0.unixSocket = path }
    }
}
