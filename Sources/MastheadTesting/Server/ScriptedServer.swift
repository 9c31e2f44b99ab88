public import FoundationEssentials
public import MastheadNetworking

/// A real HTTP/1.1 server for an app's own tests: it answers what it is told, well or badly, and remembers what was asked.
///
/// ```swift
/// @Test("maps a withdrawn volume to the app's own error")
/// func withdrawn() async throws {
///     let server = try ScriptedServer(.status(410))
///     defer { server.stop() }
///     let volumes = VolumeRepository(configuration: server.configuration())
///
///     let result = await volumes.volume("orbit")
///
///     #expect(throws: RepositoryError.self) { try result.get() }
///     #expect(try await server.request(0).target == "/volumes/orbit")
/// }
/// ```
///
/// It listens on a loopback address, on a port of the system's choice, and runs on threads of its own: any number of
/// servers may run in one process, in tests that run in parallel. ``stop()`` or the end of its life closes everything.
///
/// Answers given in order are used up first, one for each request whatever its target; after them the routes or the
/// closure answer; where there is none, the answer is 501 with the reason as its text, which ``problems`` repeats.
///
/// ## Topics
///
/// ### Scripting
/// - ``Answer``
/// - ``Gate``
/// - ``TLS``
/// - ``answer(_:)``
///
/// ### What came
/// - ``ReceivedRequest``
/// - ``request(_:)``
/// - ``requests``
public final class ScriptedServer: Sendable {
    /// The address that a server listens on.
    public enum Host: Sendable, Hashable {
        /// 127.0.0.1.
        case ipv4
        /// ::1; not every machine has it.
        case ipv6
        /// The path of a Unix socket, at most 107 bytes long, where no file is yet; it is removed when the server stops.
        case unix(String)

        /// As it stands in a URL.
        var text: String {
            switch self {
            case .ipv4: "127.0.0.1"
            case .ipv6: "[::1]"
            case .unix: "localhost"
            }
        }
    }

    /// What `http://127.0.0.1:PORT` (with TLS, `https`) is for this server, without a slash at the end.
    public let baseURL: URL

    /// The port that the system picked; 0 on a Unix socket.
    public let port: Int

    /// The host as it stands in a URL.
    public let domainURL: String

    private let loop: ServerLoop
    private let script: ServerScript
    private let record = ServerRecord()
    private let tls: ServerTLS?

    /// The path of a PEM file with the certificate authority to trust; `nil` without TLS.
    ///
    /// ``configuration(_:)`` sets it. The file is removed when the server stops.
    public var certificateAuthorityFile: String? { tls?.authorityFile.path }

    /// Starts a server that gives these answers in order, one for each request.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - tls: How to speak TLS; `nil`, the default, speaks plain HTTP.
    ///   - host: The address to listen on.
    ///   - maximumConnections: How many connections may be open; more wait until one has ended.
    /// - Throws: What kept the server from starting.
    public convenience init(
        _ answers: Answer...,
        tls: TLS? = nil,
        host: Host = .ipv4,
        maximumConnections: Int = 256
    ) throws(ScriptedServerError) {
        let script = ServerScript(queue: answers, respondToHead: nil, respond: nil)
        try self.init(script, tls: tls, host: host, maximumConnections: maximumConnections)
    }

    /// Starts a server that answers by method and target, any number of times.
    ///
    /// ```swift
    /// let server = try ScriptedServer(routes: [
    ///     "GET /volumes": .json(#"[{"id": "vol-7"}]"#),
    ///     "GET /volumes?page=2": .json("[]"),
    ///     "DELETE /bookmarks/7": .status(204),
    /// ])
    /// ```
    ///
    /// - Parameters:
    ///   - routes: An answer for each method and target. A target with its query comes before one without, which stands
    ///     for every query.
    ///   - tls: How to speak TLS; `nil`, the default, speaks plain HTTP.
    ///   - host: The address to listen on.
    ///   - maximumConnections: How many connections may be open; more wait until one has ended.
    /// - Throws: ``ScriptedServerError/invalidRoute(_:)``, or what kept the server from starting.
    public convenience init(
        routes: [String: Answer],
        tls: TLS? = nil,
        host: Host = .ipv4,
        maximumConnections: Int = 256
    ) throws(ScriptedServerError) {
        for route in routes.keys {
            let parts = route.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix("/") || parts[1] == "*" else {
                throw .invalidRoute(route)
            }
        }
        let respond: ServerScript.Respond = { request in
            routes["\(request.method) \(request.target)"] ?? routes["\(request.method) \(request.path)"]
        }
        let script = ServerScript(queue: [], respondToHead: respond, respond: respond)
        try self.init(script, tls: tls, host: host, maximumConnections: maximumConnections)
    }

    /// Starts a server that answers with what a closure says.
    ///
    /// ```swift
    /// let server = try ScriptedServer { request in
    ///     request.headers["Authorization"] == nil ? .status(401) : .json("{}")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - tls: How to speak TLS; `nil`, the default, speaks plain HTTP.
    ///   - host: The address to listen on.
    ///   - maximumConnections: How many connections may be open; more wait until one has ended.
    ///   - respondToHead: Asked first, when a request's head has come and nothing of its body. What it answers counts if
    ///     it says how to take the body, as ``Answer/early(afterBodyBytes:)`` does; anything else leaves the request to
    ///     `respond`.
    ///   - respond: Gives the answer; called on the thread of the request's connection, for several at once.
    /// - Throws: What kept the server from starting.
    public convenience init(
        tls: TLS? = nil,
        host: Host = .ipv4,
        maximumConnections: Int = 256,
        respondToHead: (@Sendable (ReceivedRequest) -> Answer?)? = nil,
        respond: @escaping @Sendable (ReceivedRequest) -> Answer
    ) throws(ScriptedServerError) {
        let script = ServerScript(queue: [], respondToHead: respondToHead, respond: respond)
        try self.init(script, tls: tls, host: host, maximumConnections: maximumConnections)
    }

    /// Starts a server that shows and agrees to what a test of TLS sets.
    package convenience init(
        secured tls: ServerTLS,
        host: Host = .ipv4,
        respond: @escaping @Sendable (ReceivedRequest) -> Answer
    ) throws(ScriptedServerError) {
        let script = ServerScript(queue: [], respondToHead: nil, respond: respond)
        try self.init(script, serverTLS: tls, host: host, maximumConnections: 256)
    }

    private convenience init(
        _ script: ServerScript,
        tls: TLS?,
        host: Host,
        maximumConnections: Int
    ) throws(ScriptedServerError) {
        let serverTLS = try tls.map { tls throws(ScriptedServerError) in try ServerTLS(tls) }
        try self.init(script, serverTLS: serverTLS, host: host, maximumConnections: maximumConnections)
    }

    private init(
        _ script: ServerScript,
        serverTLS: ServerTLS?,
        host: Host,
        maximumConnections: Int
    ) throws(ScriptedServerError) {
        let socket = try ListeningSocket(host)
        let authority = socket.port == 0 ? host.text : "\(host.text):\(socket.port)"
        guard let url = URL(string: "\(serverTLS == nil ? "http" : "https")://\(authority)") else {
            throw .system(operation: "URL", code: 0)
        }
        tls = serverTLS
        port = socket.port
        domainURL = host.text
        baseURL = url
        self.script = script
        loop = try ServerLoop(socket, maximumConnections: maximumConnections, record: record) {
            [record] client, number in
            ServerConnection(number: number, tls: serverTLS, script: script, record: record).serve(client)
        }
    }

    deinit {
        stop()
    }

    /// Closes every connection and ends every thread; doing it again does nothing.
    ///
    /// It returns when all of that is done. Whoever waits for a request gets ``ScriptedServerError/stopped``; what was
    /// recorded can still be read.
    public func stop() {
        loop.stop()
        tls?.authorityFile.remove()
    }

    /// Adds answers to those that are given in order.
    public func answer(_ answers: Answer...) {
        script.append(answers)
    }

    /// A configuration that leads to this server, and trusts its authority if it speaks TLS.
    ///
    /// ```swift
    /// let configuration = server.configuration { $0.maximumRedirects = 0 }
    /// ```
    public func configuration(
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: domainURL, port: port == 0 ? nil : port) {
            $0.useSecureConnection = tls != nil
            $0.certificateAuthorityFile = certificateAuthorityFile
            configure(&$0)
        }
    }
}

extension ScriptedServer {
    /// The requests so far, in the order in which they were complete; at most the first 100,000 are kept.
    public var requests: [ReceivedRequest] { record.requests }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { record.connectionCount }

    /// How many connections are open now.
    public var openConnectionCount: Int { record.connectionCount - record.ends.count }

    /// What went wrong on the client's side or in the script: requests that could not be read, requests without an answer.
    ///
    /// At most the first 100 are kept.
    public var problems: [String] { record.problems }

    /// What became of TLS on each connection; none without TLS.
    package var passages: [TLSPassage] { tls?.passages ?? [] }

    /// Waits for a request.
    ///
    /// - Parameter index: Its number, counted from 0.
    /// - Returns: The request, its body whole.
    /// - Throws: `CancellationError` when the task is cancelled, ``ScriptedServerError/stopped`` when the server stopped
    ///   before it came. Give the test a time limit: a request that is never made is waited for without end.
    public func request(_ index: Int) async throws -> ReceivedRequest {
        guard try await record.arrivals.reach(index + 1), let request = record.request(index) else {
            throw ScriptedServerError.stopped
        }
        return request
    }

    /// Waits until so many connections have been closed, by the client or by an answer.
    ///
    /// A test of cancellation waits for this: the client has given up its connection.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, ``ScriptedServerError/stopped`` when the server stopped
    ///   before.
    public func closedConnections(count: Int) async throws {
        guard try await record.ends.reach(count) else { throw ScriptedServerError.stopped }
    }
}
