public import FoundationEssentials

/// An answer that is a refusal, whole: nothing of it is thrown away.
///
/// ```swift
/// case .failure(.requestError(let error)) where error.status == 422: show(error.value(at: "/detail"))
/// ```
///
/// Its description names the status and the size of the body and shows neither body nor header, since both may hold
/// what a log must not.
public struct ResponseError: Error, Sendable, CustomStringConvertible {
    /// The status code.
    public let status: Int

    /// The header fields.
    public let headers: HTTPHeaders

    /// The body as it came, whatever its type; empty if there was none.
    public let body: Data

    /// How the repository that got the answer decodes, and to whom it reports.
    var decoding: ResponseDecoding?

    /// Makes a refusal, in a test or of an app's own.
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The status and the size of the body.
    public var description: String { "status \(status), \(body.count) bytes" }
}
