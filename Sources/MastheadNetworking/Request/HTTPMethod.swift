/// A request method (RFC 9110, section 9).
///
/// ```swift
/// let request = Request<Void>(method: .delete, path: "bookmarks/\(id)")
/// let purge = HTTPMethod("PURGE")
/// ```
///
/// Methods are case-sensitive. One that is no token (RFC 9110, section 5.6.2) is refused before anything is sent.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Reads.
    public static let get = HTTPMethod("GET")
    /// Reads the head alone.
    public static let head = HTTPMethod("HEAD")
    /// Hands over something to be processed.
    public static let post = HTTPMethod("POST")
    /// Creates or replaces the whole.
    public static let put = HTTPMethod("PUT")
    /// Changes a part (RFC 5789).
    public static let patch = HTTPMethod("PATCH")
    /// Removes.
    public static let delete = HTTPMethod("DELETE")
    /// Asks what may be asked.
    public static let options = HTTPMethod("OPTIONS")

    /// The method as it stands in the request line.
    public let rawValue: String

    /// Makes a method of its word, in the case it is sent in.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method of its word, in the case it is sent in.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a method of its word, in the case it is sent in.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The method's word.
    public var description: String { rawValue }

    /// Whether it may stand in a request line.
    var isToken: Bool {
        // Most are.
        if self == .get || self == .post { return true }
        return !rawValue.isEmpty && rawValue.utf8.allSatisfy(ASCIISet.token.contains)
    }
}
