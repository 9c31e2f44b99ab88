import FoundationEssentials
import MastheadLock

/// What every URL of a configuration starts with, taken apart and checked.
final class BaseURL: Sendable {
    let scheme: String

    /// The host as it stands in a URL: a name in ASCII, an IPv6 address in brackets.
    let host: String

    /// The port if it is not the scheme's own.
    let port: Int?

    /// Scheme, host and port, as they stand before the path.
    let origin: String

    /// The path, percent-encoded, with a slash at its start and none at its end; empty for none.
    let path: String

    /// Whether the path was written with a slash at its end.
    let endsWithSlash: Bool

    /// A URL without a query, and the path that it was made of.
    struct Known {
        let path: RequestPath
        let url: URL
    }

    /// The URL that was asked for last.
    let last = Lock<Known?>(nil)

    init(_ configuration: NetworkingConfiguration) throws(RepositoryError) {
        let isSecure = configuration.useSecureConnection
        scheme = isSecure ? "https" : "http"
        let domain = try HostPort(configuration.domainURL, of: "domainURL")
        let textPort = domain.port
        host = domain.host
        if textPort != nil, configuration.port != nil {
            throw .invalidConfiguration(reason: "the port is given twice: leave it out of domainURL, or out of port")
        }
        let port = configuration.port ?? textPort
        if let port, !(1...65535).contains(port) {
            throw .invalidConfiguration(reason: "port is not between 1 and 65535")
        }
        let shownPort = port == (isSecure ? 443 : 80) ? nil : port
        self.port = shownPort
        origin = "\(scheme)://\(host)" + (shownPort.map { ":\($0)" } ?? "")
        (path, endsWithSlash) = try Self.encodePath(configuration.subdomainURL ?? "")
    }

    private static func encodePath(_ text: String) throws(RepositoryError) -> (String, Bool) {
        // Most configurations have none.
        guard !text.isEmpty, text != "/" else { return ("", false) }
        let path = RequestPath(stringLiteral: text)
        if let problem = path.problem {
            let advice = "give plain segments such as /v2"
            throw .invalidConfiguration(reason: "subdomainURL cannot be used, \(problem): \(advice)")
        }
        guard path.encoded.utf8.last == UInt8(ascii: "/") else { return ("/" + path.encoded, false) }
        return ("/" + path.encoded.dropLast(), true)
    }
}
