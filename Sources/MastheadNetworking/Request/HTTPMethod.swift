/// A request method (RFC 9110, section 9).
///
/// ```swift
/// let request = Request<Void>(method: .delete, path: "bookmarks/\(id)")
/// let purge = HTTPMethod("PURGE")
/// ```
///
/// Methods are case-sensitive. One that is no token (RFC 9110, section 5.6.2) is refused before anything is sent.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    public static let get = HTTPMethod("GET")
    public static let head = HTTPMethod("HEAD")
    public static let post = HTTPMethod("POST")
    public static let put = HTTPMethod("PUT")
    public static let patch = HTTPMethod("PATCH")
    public static let delete = HTTPMethod("DELETE")
    public static let options = HTTPMethod("OPTIONS")

    /// The method as it stands in the request line.
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    public var description: String { rawValue }
}
