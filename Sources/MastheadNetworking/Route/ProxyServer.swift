/// A server that speaks to others in the app's place.
///
/// ```swift
/// let proxy = ProxyServer(.https, host: "proxy.example.com", user: "ada", password: Secret(password))
/// ```
///
/// User and password reach the proxy alone, and what is sent over `https` reaches the server alone: the proxy sees its
/// name and port. Over `http` an HTTP proxy sees all of it.
public struct ProxyServer: Sendable, Hashable {
    /// How a proxy is spoken to.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// HTTP: `CONNECT` for `https` (RFC 9110, section 9.3.6), absolute targets for `http`.
        case http
        /// The same over TLS; the proxy's certificate must be of the authorities that the servers' must be of.
        case https
        /// SOCKS 5 (RFC 1928); the proxy looks up the names.
        case socks5
        /// SOCKS 4A, which knows no password; the proxy looks up the names.
        case socks4a

        /// The port if none is given.
        var port: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5, .socks4a: 1080
            }
        }
    }

    /// How it is spoken to.
    public var kind: Kind

    /// Its name or address.
    public var host: String

    /// Its port.
    public var port: Int

    /// Who asks; `nil` for nobody.
    public var user: String?

    /// The user's password; `nil` for none.
    public var password: Secret?

    /// The hosts that are reached without it.
    ///
    /// A name stands for itself and for all below it (`example.com`, `.example.com`, `*.example.com`), an address for
    /// itself, `10.0.0.0/8` for a network, `*` for all. Names are not looked up to compare addresses.
    public var exceptions: [String]

    /// Makes a proxy.
    ///
    /// - Parameters:
    ///   - kind: How it is spoken to.
    ///   - host: Its name or address.
    ///   - port: Its port; `nil` takes 80, 443 for HTTP over TLS, and 1080 for SOCKS.
    ///   - user: Who asks.
    ///   - password: The user's password.
    ///   - exceptions: The hosts that are reached without it.
    public init(
        _ kind: Kind,
        host: String,
        port: Int? = nil,
        user: String? = nil,
        password: Secret? = nil,
        exceptions: [String] = []
    ) {
        self.kind = kind
        self.host = host
        self.port = port ?? kind.port
        self.user = user
        self.password = password
        self.exceptions = exceptions
    }

    /// Reads a proxy's URL, such as `http://proxy.example.com:3128` or `socks5://ada:secret@127.0.0.1`.
    ///
    /// The scheme is a ``Kind``'s name, or `socks5h`; user and password are percent-encoded.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if it is none; the URL is not in the reason.
    public init(_ url: String) throws(RepositoryError) {
        let parts = URLReference(url)
        let scheme = parts.scheme == "socks5h" ? "socks5" : parts.scheme
        guard let kind = scheme.flatMap(Kind.init), let authority = parts.authority, ["", "/"].contains(parts.path),
            parts.query == nil, parts.fragment == nil
        else { throw .invalidConfiguration(reason: "the proxy's URL is none such as http://proxy.example.com:3128") }
        var address = authority[...]
        var names: [String] = []
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            address = authority[authority.utf8.index(after: at)...]
            for text in authority[..<at].utf8.split(
                separator: UInt8(ascii: ":"),
                maxSplits: 1,
                omittingEmptySubsequences: false
            ) {
                guard let name = String(validating: Substring(text).percentDecodedBytes, as: UTF8.self) else {
                    throw .invalidConfiguration(reason: "the proxy's user or password is no text")
                }
                names.append(name)
            }
        }
        let server = try HostPort(String(address), of: "the proxy's URL")
        self.init(
            kind,
            host: server.host,
            port: server.port,
            user: names.first,
            password: names.dropFirst().first.map { Secret($0) }
        )
    }
}

extension ProxyServer: CustomStringConvertible, CustomReflectable {
    /// Its URL, without user and password.
    public var description: String { "\(kind)://\(host):\(port)" }

    /// What a dump or a debugger shows: neither who the user is nor the password.
    public var customMirror: Mirror {
        let user = user.map { _ in Redaction.mark }
        return Mirror(
            self,
            children: ["url": description, "user": user as Any, "password": password as Any, "exceptions": exceptions],
            displayStyle: .struct
        )
    }
}
