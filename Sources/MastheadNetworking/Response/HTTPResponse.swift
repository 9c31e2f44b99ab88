public import FoundationEssentials

/// A whole, checked answer.
///
/// ```swift
/// let response = try await performRaw(.get("catalogue.json")).get()
/// let etag = response.headers["ETag"]
/// let catalogue = response.decode(Catalogue.self)
/// ```
public struct HTTPResponse: Sendable {
    /// The status code (RFC 9110, section 15).
    public var status: Int

    /// The header fields, as they came.
    public var headers: HTTPHeaders

    /// The body after its content coding was undone; empty if there is none.
    public var body: Data

    /// Where the answer came from: after redirects, the last URL.
    public var url: URL

    /// What the exchange took on the wire; `nil` without a ``NetworkingConfiguration/observer``, and from an executor that
    /// does not measure.
    public var metrics: ExchangeMetrics? {
        get { report?.metrics }
        set { report = newValue.map { MetricsReport($0) } }
    }

    /// Holds the metrics: an answer is handed on too often to carry them itself.
    var report: MetricsReport?

    /// Reports what did not decode; set by the repository that got the answer.
    var decoding: ResponseDecoding?

    /// Whether the request that it answers carried the session's token.
    var answersSession = false

    /// What few answers have: one is handed on too often to carry all that.
    @Seldom var rarities: Rarities?

    /// Makes an answer: in an executor, or in a test.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body, its content coding undone.
    ///   - url: Where it came from; a repository sets it to the URL it asked.
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}
