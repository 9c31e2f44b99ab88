import MastheadLock
package import MastheadNetworking
package import MastheadTesting

/// An HTTP/2 server over TLS that answers, refuses and breaks off as it is told.
///
/// ```swift
/// let server = try HTTP2Server(Step.answer("one"), [.goAway(.before)], Step.answer("three"))
/// ```
///
/// Each request gets the next script, over all connections; where none is left, a 200 without a body. It reads nothing
/// of a request but its frames: neither the path nor the fields.
package final class HTTP2Server: Sendable {
    /// A request as its frames told.
    package struct Request: Sendable, Hashable {
        /// The connection that it came by, counted from 0.
        package let connection: Int
        package let stream: UInt32
        /// As far as HPACK's static table names it (RFC 7541, appendix A); `nil` for others.
        package let method: String?
        package var bodyLength = 0
        package var isWhole = false
    }

    private struct State {
        var scripts: [[Step]]
        var requests: [Request] = []

        /// Keeps what is known of a request now; whether it is the first word of it.
        mutating func note(_ request: Request) -> Bool {
            let known = requests.firstIndex { $0.connection == request.connection && $0.stream == request.stream }
            if let known {
                requests[known] = request
            } else {
                requests.append(request)
            }
            return known == nil
        }
    }

    package let port: Int
    private let tls: ServerTLS
    private let loop: ServerLoop
    private let record = ServerRecord()
    private let state: Lock<State>

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - scripts: One for each request.
    ///   - tls: What it shows, with `h2` among its protocols; `nil` is a certificate of its own authority.
    /// - Throws: What kept it from starting.
    package init(_ scripts: [Step]..., tls: ServerTLS? = nil) throws {
        let tls = try tls ?? ServerTLS(.selfSigned, protocols: ["h2"])
        let socket = try ListeningSocket(.ipv4)
        let state = Lock(State(scripts: scripts.reversed()))
        self.tls = tls
        self.state = state
        port = socket.port
        loop = try ServerLoop(socket, maximumConnections: 256, record: record) { [record] client, number in
            do {
                let stream = try TLSStream(tls, over: client, number: number)
                var connection = HTTP2Connection(stream: stream, socket: client, number: number)
                connection.serve(
                    nextScript: {
                        state.withLock { $0.scripts.popLast() } ?? [.wholeRequest, .head(status: 200, isLast: true)]
                    },
                    note: { request in
                        let isNew = state.withLock { $0.note(request) }
                        if isNew { record.arrivals.change(by: 1) }
                    }
                )
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

    /// The requests in the order of their heads.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// Waits until so many requests have begun.
    package func requests(count: Int) async throws {
        guard try await record.arrivals.reach(count) else { throw ScriptedServerError.stopped }
    }

    package var connectionCount: Int { record.connectionCount }

    /// Waits until so many connections have been closed.
    package func closedConnections(count: Int) async throws {
        guard try await record.ends.reach(count) else { throw ScriptedServerError.stopped }
    }

    package var problems: [String] { record.problems }

    /// What became of TLS on each connection.
    package var passages: [TLSPassage] { tls.passages }

    /// A PEM file with the authority to trust.
    package var certificateAuthorityFile: String { tls.authorityPath }

    package var url: String { "https://127.0.0.1:\(port)/" }

    /// A configuration that leads to this server and trusts its authority.
    package func configuration(
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "127.0.0.1", port: port) {
            $0.certificateAuthorityFile = certificateAuthorityFile
            configure(&$0)
        }
    }
}
