import FoundationEssentials

/// What two requests have in common that may be answered by one exchange.
///
/// Method, URL and every header field, the authorization among them, in their order: what differs in anything a server
/// may look at is another request.
package struct RequestIdentity: Sendable, Hashable {
    private let method: HTTPMethod
    private let url: String
    private let names: [String]
    private let values: [String]

    /// Takes what counts of a request; `nil` if it is not GET or HEAD, has a body, or wants its answer in a file or a stream.
    package init?(_ request: HTTPRequest) {
        guard request.method == .get || request.method == .head, request.body == nil, request.delivery == .whole else {
            return nil
        }
        method = request.method
        url = request.url.absoluteString
        names = request.headers.fields.map { $0.name.lowercased() }
        values = request.headers.fields.map(\.value)
    }
}
