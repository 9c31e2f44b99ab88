import CMastheadOpenSSL
import Foundation
import MastheadCrypto
import MastheadLock
import Testing

@Suite("A client's TLS session", .timeLimit(.minutes(1)))
struct SessionTests {
    private static let versions = [TLSServerSettings.Version.tls12, .tls13]

    @Test("is kept with each ticket that the server gives out, and gone on with", arguments: versions)
    func isKept(version: TLSServerSettings.Version) throws {
        let client = try SessionClient(version)

        let first = try client.connect()
        try #require(!first.kept.isEmpty)
        #expect(!first.isResumed)
        for session in first.kept {
            let second = try client.connect(goingOnWith: session)
            #expect(second.isResumed)
            // The term stays that of the first.
            #expect(client.judge.terms.withLock { $0.last?.start } == 1000)
            client.judge.time.withLock { $0 += 1 }
        }
    }

    @Test("has the term of the chain that was verified: until its first certificate ends", arguments: versions)
    func hasTerm(version: TLSServerSettings.Version) throws {
        let client = try SessionClient(version)

        let session = try #require(try client.connect().kept.last)
        _ = try client.connect(goingOnWith: session)

        let end = try #require(client.identity.certificate.end)
        #expect(client.judge.terms.withLock { $0.map(\.end) } == [end])
    }

    @Test("is not gone on with when its judge says so: the server proves everything again", arguments: versions)
    func isJudged(version: TLSServerSettings.Version) throws {
        let client = try SessionClient(version)
        let session = try #require(try client.connect().kept.last)
        client.judge.goesOn.withLock { $0 = false }

        let second = try client.connect(goingOnWith: session)
        #expect(!second.isResumed)
        #expect(client.judge.chains.withLock { $0 } == 2)

        // What is over is so for good, and what began anew is not.
        client.judge.goesOn.withLock { $0 = true }
        #expect(try !client.connect(goingOnWith: session).isResumed)
        let next = try #require(second.kept.last)
        #expect(try client.connect(goingOnWith: next).isResumed)
    }

    @Test(
        "is not kept if it comes after the connection's were forgotten, nor is the one it came from",
        arguments: versions
    )
    func isForgotten(version: TLSServerSettings.Version) throws {
        let client = try SessionClient(version)
        let session = try #require(try client.connect().kept.last)

        let second = try client.connect(goingOnWith: session) { $0.forgetSession() }
        #expect(second.isResumed)
        #expect(second.kept.isEmpty)
        #expect(try !client.connect(goingOnWith: session).isResumed)

        // Of a new one TLS 1.3 gives out all tickets after that, and 1.2 before.
        let third = try client.connect { $0.forgetSession() }
        #expect(third.kept.isEmpty || version == .tls12)
        for session in third.kept { #expect(try !client.connect(goingOnWith: session).isResumed) }
    }
}

/// A session that a client keeps.
private final class KeptSession: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: OpenSSL counts who holds the session, and guards it.
    let handle: OpaquePointer

    /// Takes over what OpenSSL gave.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        SSL_SESSION_free(handle)
    }
}

/// A client of OpenSSL's that keeps sessions, and a server for it.
private final class SessionClient: Sendable {
    struct Failure: Error {
        let operation: String
    }

    /// What came of one connection.
    struct Passage {
        let isResumed: Bool
        let kept: [KeptSession]
    }

    /// Trusts whom OpenSSL trusts.
    final class Judge: ServerTrust.Judge {
        let goesOn = Lock(true)
        let time = Lock(1000)
        let terms = Lock<[SessionTerm]>([])
        let chains = Lock(0)

        var now: Int { time.withLock { $0 } }

        func trusts(_ chain: VerifiedChain, of connection: TLSConnection, _ peer: TLSPeer) -> Bool {
            chains.withLock { $0 += 1 }
            return true
        }

        func trusts(_ staple: Staple) -> Bool { true }

        func goesOn(with term: SessionTerm) -> Bool {
            terms.withLock { $0.append(term) }
            return goesOn.withLock { $0 }
        }
    }

    /// What OpenSSL's callback finds.
    private final class Kept: Sendable {
        let sessions = Lock<[KeptSession]>([])
    }

    let judge = Judge()
    let identity: Identity
    private let server: TLSServerContext
    private let authority: Folder

    init(_ version: TLSServerSettings.Version) throws {
        let root = try CertificateAuthority(validity: .init(start: -86_400, end: 90 * 86_400))
        identity = try root.issue(names: ["localhost"])
        var settings = TLSServerSettings(identity)
        settings.maximumVersion = version
        server = try TLSServerContext(settings)
        authority = try Folder(["root.pem": root.certificate.pem()])
    }

    /// Connects, and reads what the server sends of its own accord.
    ///
    /// - Parameters:
    ///   - session: The session to go on with.
    ///   - look: Called when both sides have agreed, and nothing was read.
    /// - Returns: What came of it.
    /// - Throws: The call that failed.
    func connect(
        goingOnWith session: KeptSession? = nil,
        _ look: (TLSConnection) -> Void = { _ in }
    ) throws -> Passage {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
            throw Failure(operation: "socketpair")
        }
        let (ours, theirs) = (pair[0], pair[1])
        defer { close(ours) }
        Thread.detachNewThread { [server] in
            defer { close(theirs) }
            var signals = sigset_t()
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            guard let connection = try? TLSServerConnection(server, descriptor: theirs) else { return }
            guard (try? connection.accept()) != nil else { return }
            _ = [UInt8(ascii: "x")].withUnsafeBytes { connection.write($0) }
            // Until the client is gone.
            _ = withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { connection.read(into: $0) }
        }
        let context = SSL_CTX_new(TLS_client_method())
        defer { SSL_CTX_free(context) }
        let mode = SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_LOOKUP | SSL_SESS_CACHE_NO_INTERNAL_STORE
        guard let context, SSL_CTX_load_verify_file(context, authority.file("root.pem")) == 1 else {
            throw Failure(operation: "SSL_CTX_load_verify_file")
        }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        _ = masthead_openssl_SSL_CTX_set_session_cache_mode_int(context, Int(mode))
        SSL_CTX_sess_set_new_cb(context) { connection, session in
            guard let kept = SSL_get_ex_data(connection, 0), let session else { return 0 }
            Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue().sessions.withLock { $0.append(KeptSession(session)) }
            return 1
        }
        let isJudged = ServerTrust.install(
            judge,
            on: UnsafeMutableRawPointer(context),
            judgesChains: true,
            asksForStaples: false
        )
        guard isJudged, let connection = SSL_new(context) else { throw Failure(operation: "SSL_new") }
        defer { SSL_free(connection) }
        let kept = Kept()
        SSL_set_ex_data(connection, 0, Unmanaged.passUnretained(kept).toOpaque())
        if let session { SSL_set_session(connection, session.handle) }
        guard SSL_set_fd(connection, ours) == 1, SSL_connect(connection) == 1 else {
            throw Failure(operation: "SSL_connect")
        }
        look(TLSConnection(UnsafeMutableRawPointer(connection)))
        var byte: UInt8 = 0
        guard SSL_read(connection, &byte, 1) == 1 else { throw Failure(operation: "SSL_read") }
        SSL_shutdown(connection)
        return withExtendedLifetime(kept) {
            Passage(isResumed: SSL_session_reused(connection) == 1, kept: kept.sessions.withLock { $0 })
        }
    }
}
