/// A path below the configuration's base, in which each interpolated value stays within its segment.
///
/// ```swift
/// let path: RequestPath = "volumes/\(id)/issues"      // id "a/b" goes out as volumes/a%2Fb/issues
/// let batch = RequestPath(segments: ["media", ids.joined(separator: ",")])
/// ```
///
/// The `/` of the literal part separate segments; those of a value are percent-encoded (RFC 3986, section 3.3), as is
/// everything else that is not unreserved or a sub-delimiter legal in a segment. A segment that is `.` or `..` and a
/// literal with `?` or `#` are refused with ``RepositoryError/invalidURL(reason:)``.
public struct RequestPath: Sendable, Hashable, ExpressibleByStringInterpolation {
    var segments: [String]
    var problem: String?

    public init(segments: [String]) {
        self.segments = segments
    }

    public init(stringLiteral value: String) {
        segments = value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}
