import MastheadLock
package import MastheadTesting

/// A proxy that lets through, asks for a password or refuses as it is told, and remembers who wanted where.
///
/// ```swift
/// let proxy = try ScriptedProxy(.socks5, target: server.port, password: ("ada", "secret"))
/// ```
///
/// It leads everything to one port of 127.0.0.1, whatever name was asked for: so a name that resolves nowhere shows who
/// looked it up, and a server with a certificate of another authority makes it one that breaks TLS open. An HTTP proxy takes both absolute targets (RFC 9112, section 3.2.2), one for each connection, and
/// CONNECT (RFC 9110, section 9.3.6).
package final class ScriptedProxy: Sendable {
    /// How it is spoken to.
    package enum Kind: Sendable, Hashable {
        case http
        /// HTTP over TLS.
        case https
        /// RFC 1928, and RFC 1929 for the password.
        case socks5
        /// SOCKS 4, with the name of 4A.
        case socks4
    }

    /// What it does with those who have the right to pass.
    package enum Conduct: Sendable {
        case letThrough
        /// HTTP: this status. SOCKS: "not allowed".
        case refuse(status: Int = 403)
        /// Nothing, until the client or the end of the proxy closes the connection.
        case silence
        /// Closes the connection at once.
        case hangUp
    }

    /// What one client wanted.
    package struct Visit: Sendable, Hashable {
        /// `CONNECT`, the method of a request with an absolute target, `socks5` or `socks4`.
        package let method: String
        /// The target as it came: `host:port`, or an absolute URL.
        package let target: String
        /// The fields of an HTTP head, as lines in their order.
        package let fields: [String]
        /// User and password as they came; `nil` if there were none.
        package let password: String?
        /// Whether it was let through.
        package let isAdmitted: Bool
    }

    package let port: Int
    package let kind: Kind
    private let tls: ServerTLS?
    private let loop: ServerLoop
    private let record = ServerRecord()
    private let state = Lock<[Visit]>([])

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - kind: How it is spoken to.
    ///   - target: The port of 127.0.0.1 that everything is led to.
    ///   - password: Who may pass; `nil` lets everyone. SOCKS 4 knows a user only.
    ///   - conduct: What it does with those who may.
    ///   - exceptions: What it does instead with those of some connections, which are counted from 0.
    ///   - tls: What an HTTPS proxy shows; `nil` is a certificate of its own authority.
    /// - Throws: What kept it from starting.
    package init(
        _ kind: Kind,
        target: Int,
        password: (user: String, password: String)? = nil,
        conduct: Conduct = .letThrough,
        exceptions: [Int: Conduct] = [:],
        tls: ServerTLS? = nil
    ) throws {
        let tls = kind == .https ? try tls ?? ServerTLS(.selfSigned) : nil
        let socket = try ListeningSocket(.ipv4)
        self.kind = kind
        self.tls = tls
        port = socket.port
        let words = password.map { "\($0.user):\($0.password)" }
        loop = try ServerLoop(socket, maximumConnections: 256, record: record) { [record, state] client, number in
            do {
                let stream: any ByteStream =
                    if let tls { try TLSStream(tls, over: client, number: number) } else { client }
                let passage = ProxyPassage(
                    stream: stream,
                    socket: client,
                    target: target,
                    password: words,
                    conduct: exceptions[number] ?? conduct,
                    note: { visit in
                        state.withLock { $0.append(visit) }
                        record.arrivals.change(by: 1)
                    }
                )
                switch kind {
                case .http, .https: passage.serveHTTP()
                case .socks5: passage.serveSOCKS5()
                case .socks4: passage.serveSOCKS4()
                }
            } catch {
                record.addProblem("connection \(number): \(error)")
            }
        }
    }

    deinit {
        stop()
    }

    /// Closes every connection and ends every thread.
    package func stop() {
        loop.stop()
    }

    /// What was wanted, in the order in which it was.
    package var visits: [Visit] { state.withLock { $0 } }

    /// Waits until so many visits have come.
    package func visits(count: Int) async throws {
        guard try await record.arrivals.reach(count) else { throw ScriptedServerError.stopped }
    }

    package var connectionCount: Int { record.connectionCount }

    package var problems: [String] { record.problems }

    /// What became of TLS on each connection of an HTTPS proxy.
    package var passages: [TLSPassage] { tls?.passages ?? [] }

    /// A PEM file with the authority to trust, of a proxy over TLS.
    package var certificateAuthorityFile: String? { tls?.authorityPath }
}
