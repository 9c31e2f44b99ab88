/// A path below the configuration's base, in which each interpolated value stays within its segment.
///
/// ```swift
/// let path: RequestPath = "volumes/\(id)/issues"      // id "a/b" goes out as volumes/a%2Fb/issues
/// let batch = RequestPath(segments: ["media", ids.joined(separator: ",")])
/// ```
///
/// The `/` of the literal part separate segments; those of a value are percent-encoded (RFC 3986, section 3.3), as is
/// everything else that is not unreserved or a sub-delimiter legal in a segment. The literal part is plain text too: a
/// `%` in it goes out as `%25`, so nothing is ever taken for encoded already. One slash at the start makes no
/// difference; one at the end is kept.
///
/// Refused with ``RepositoryError/invalidURL(reason:)`` when a request is made of it: a segment that is `.` or `..`,
/// however it came about; a segment that is empty, since `"volumes/\(id)"` with an empty id would ask for the list;
/// a control character; and `?` or `#` in the literal part.
public struct RequestPath: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The path as it goes into the URL, without a slash at its start; `/` alone stands for the base with a slash.
    let encoded: String

    /// Why it can be no part of a URL; `nil` if it can.
    let problem: String?

    /// Makes a path of one value for each segment.
    ///
    /// - Parameter segments: The segments as plain text; none makes the path of the base itself.
    public init(segments: [String]) {
        var builder = RequestPathBuilder()
        for (index, segment) in segments.enumerated() {
            if index > 0 { builder.appendLiteral("/") }
            builder.appendValue(segment)
        }
        self.init(builder)
    }

    /// Makes a path of a literal, its segments separated by `/`.
    public init(stringLiteral value: String) {
        var builder = RequestPathBuilder()
        builder.appendLiteral(value)
        self.init(builder)
    }

    init(_ builder: consuming RequestPathBuilder) {
        (encoded, problem) = builder.finish()
    }
}
