public import FoundationEssentials
public import MastheadNetworking

extension ScriptedServer.ReceivedRequest {
    /// One part of a request's body whose type is `multipart` (RFC 2046, section 5.1).
    ///
    /// ```swift
    /// let file = try #require(request.parts.last)
    /// #expect(file.headers["Content-Disposition"] == #"form-data; name="cover"; filename="a.jpg""#)
    /// #expect(file.bodyLength == 268_435_456)
    /// ```
    public struct Part: Sendable, Hashable {
        /// The header fields in the order in which they came.
        public let headers: HTTPHeaders

        /// The content; as much of it is kept as of a whole body.
        public let body: Data

        /// How long the content was, whatever was kept of it.
        public let bodyLength: Int

        /// The SHA-256 digest of the whole content, in lower-case hexadecimal digits.
        public let bodyDigest: String

        /// The content as text in UTF-8; what is not UTF-8 shows as U+FFFD.
        public var text: String {
            String(decoding: body, as: UTF8.self)
        }
    }
}
