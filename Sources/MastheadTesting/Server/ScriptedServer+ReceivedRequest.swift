public import FoundationEssentials
public import MastheadNetworking

extension ScriptedServer {
    /// A request as it came over the wire.
    ///
    /// ```swift
    /// let request = try await server.request(0)
    /// #expect(request.method == "GET")
    /// #expect(request.target == "/volumes/vol-7?fields=title%2Cissues")
    /// #expect(request.headers["Accept"] == "application/json")
    /// ```
    public struct ReceivedRequest: Sendable, Hashable {
        /// The method, in its own spelling.
        public let method: String

        /// The request target exactly as it came: path and query, still percent-encoded.
        public let target: String

        /// The protocol's version, such as `HTTP/1.1`.
        public let version: String

        /// The header fields in the order in which they came.
        public let headers: HTTPHeaders

        /// The body, its chunks put together; at most the first 64 MiB of it are kept.
        public let body: Data

        /// How long the body was, whatever was kept of it.
        public let bodyLength: Int

        /// The number of the connection that it came by, counted from 0.
        public let connection: Int

        /// The target up to its query, still percent-encoded.
        public var path: String {
            String(target.prefix { $0 != "?" })
        }

        /// What follows the first `?`, still percent-encoded; `nil` if there is none.
        public var query: String? {
            target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
        }

        /// The body as text in UTF-8; what is not UTF-8 shows as U+FFFD.
        public var text: String {
            String(decoding: body, as: UTF8.self)
        }
    }
}
