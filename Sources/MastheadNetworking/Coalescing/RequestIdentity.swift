import FoundationEssentials
import MastheadTransport

/// What two requests have in common that may be answered by one exchange.
///
/// Method, URL and every header field, the authorization among them, in their order: what differs in anything a server
/// may look at is another request.
package struct RequestIdentity: Sendable, Hashable {
    private let method: HTTPMethod
    private let url: String
    private let names: [String]
    private let values: [String]
    private let session: Int?
    private let caching: CallCaching.Identity?

    /// Takes what counts of a request; `nil` if it is not GET or HEAD, has a body, or wants its answer in a file or a stream.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The number of the session that it belongs to; `nil` for none.
    ///   - caching: What is wanted of the cache; `nil` if there is none.
    init?(_ request: HTTPRequest, session: Int? = nil, caching: CallCaching.Identity?) {
        guard request.method == .get || request.method == .head, request.body == nil, request.delivery == .whole else {
            return nil
        }
        // Nobody is asked: there is nothing to share, and what was looked for a moment ago may be old.
        guard caching?.policy != .cacheOnly else { return nil }
        self.session = session
        self.caching = caching
        method = request.method
        url = request.url.absoluteString
        names = request.headers.lines.map { $0.name.lowercased() }
        values = request.headers.lines.map(\.value)
    }

    /// Takes what counts of a request that no cache has to do with; else the same.
    package init?(_ request: HTTPRequest, session: Int? = nil) {
        self.init(request, session: session, caching: nil)
    }
}
