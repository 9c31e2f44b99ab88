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

        /// The body, its chunks put together; at most the first 64 MiB of it are kept, or what
        /// ``ScriptedServer/Answer/uploadKept(bytes:)`` says.
        public let body: Data

        /// How long the body was, whatever was kept of it.
        ///
        /// Of a request that was answered early (``ScriptedServer/Answer/early(afterBodyBytes:)``), how much of the body
        /// had been read by then.
        public let bodyLength: Int

        /// The SHA-256 digest of the body as far as it was read, in lower-case hexadecimal digits; empty without a body.
        public let bodyDigest: String

        /// The parts of the body that came whole; empty if its type is not `multipart`.
        public let parts: [Part]

        /// The number of the connection that it came by, counted from 0.
        public let connection: Int

        /// The client's address, such as `127.0.0.1`; empty over a Unix socket.
        public let clientAddress: String

        /// The host's name that the client asked for in TLS (RFC 6066, section 3); `nil` if it named none.
        public let serverName: String?

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

        /// Whether the client waits to be asked for the body (RFC 9110, section 10.1.1).
        public var expectsContinue: Bool {
            headers["Expect"]?.lowercased() == "100-continue"
        }
    }
}

extension ScriptedServer.ReceivedRequest {
    init(_ head: RequestReader.Head, _ body: RecordedBody = RecordedBody(), by client: ServerConnection.Client) {
        self.init(
            method: head.method,
            target: head.target,
            version: head.version,
            headers: head.headers,
            body: body.kept,
            bodyLength: body.length,
            bodyDigest: body.digest,
            parts: body.parts,
            connection: client.connection,
            clientAddress: client.address,
            serverName: client.serverName
        )
    }
}
