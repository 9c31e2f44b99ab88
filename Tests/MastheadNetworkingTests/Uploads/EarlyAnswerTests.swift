import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Answers that come while the body is still under way, and bodies that would have to be sent again.
@Suite("An upload that is answered", .timeLimit(.minutes(2)))
struct EarlyAnswerTests {
    private static let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// What is sent, and how.
    enum Kind: CaseIterable {
        case data, file, multipart, stream, sizedStream
    }

    private func body(_ kind: Kind, size: Int = 8 << 20) throws -> RequestBody {
        switch kind {
        case .data: return .data(Data(count: size), contentType: nil)
        case .file: return .file(try file(size))
        case .multipart: return .multipart([.file("file", path: try file(size))])
        case .stream: return .stream(Self.zeros(size))
        case .sizedStream: return .stream(Self.zeros(size), length: size)
        }
    }

    private func file(_ size: Int) throws -> String {
        let path = try folder.file("sparse", Data())
        try FileHandleLength.set(size, of: path)
        return path
    }

    private static func zeros(_ size: Int) -> AsyncStream<Data> {
        let rest = Lock(size)
        return AsyncStream(unfolding: {
            rest.withLock { rest in
                let count = min(rest, 64 << 10)
                rest -= count
                return count > 0 ? Data(count: count) : nil
            }
        })
    }

    @Test("before it was sent gets that answer, whatever becomes of the connection", arguments: Kind.allCases)
    func early(kind: Kind) async throws {
        let refusal = ScriptedServer.Answer.text("too large", status: 413).early(afterBodyBytes: 100_000)
        for answer in [refusal, refusal.closing(), refusal.chunked().closing()] {
            for _ in 0..<(Self.isSoak ? 25 : 5) {
                let server = try ScriptedServer(answer, .status(204))
                defer { server.stop() }
                let repository = AbstractRepository(configuration: server.configuration())

                let failure = await repository.perform(Request<Void>.put("file", body: try body(kind))).failure

                guard case .requestError(let error) = failure else {
                    Issue.record("\(kind), \(answer.status): \(String(describing: failure))")
                    return
                }
                #expect(error.status == 413)
                #expect(error.body == Data("too large".utf8))
                try await repository.perform(Request<Void>.put("next", body: .text("small"))).get()
            }
        }
    }

    @Test(
        "before it was sent gets that answer, though the connection is reset right behind it",
        arguments: Kind.allCases,
        [false, true]
    )
    func earlyAndReset(kind: Kind, isSecure: Bool) async throws {
        let refusal = ScriptedServer.Answer.text("too large", status: 413).early(afterBodyBytes: 100_000)
            .reset(afterBodyBytes: .max)
        var failures: [String: Int] = [:]
        let rounds = Self.isSoak ? 50 : 8
        for _ in 0..<rounds {
            let server = try ScriptedServer(tls: isSecure ? .selfSigned : nil) { _ in refusal }
            defer { server.stop() }
            let repository = AbstractRepository(configuration: server.configuration())
            let failure = await repository.perform(Request<Void>.put("file", body: try body(kind))).failure
            if case .requestError(let error) = failure, error.body == Data("too large".utf8) {
                failures["\(error.status)", default: 0] += 1
            } else {
                failures["\(failure.map { "\($0)" } ?? "nothing")", default: 0] += 1
            }
        }
        #expect(failures == ["413": rounds])
    }

    @Test("before it was sent has its sequence cancelled when the answer is let go of")
    func cancelsSequence() async throws {
        let server = try ScriptedServer(.text("enough").early(afterBodyBytes: 10))
        defer { server.stop() }
        let ended = ScriptedServer.Gate()
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        continuation.onTermination = { _ in ended.open() }
        continuation.yield(Data(count: 100))
        let repository = AbstractRepository(configuration: server.configuration())

        var response: ResponseStream? = try await repository.performStreaming(.put("file", body: .stream(chunks))).get()
        #expect(response?.status == 200)
        response = nil

        while !ended.isOpen { await Task.yield() }
        try await server.closedConnections(count: 1)
    }

    @Test("by a refusal while its sequence has nothing to give gets that answer, and has the sequence cancelled")
    func refusedWhileResting() async throws {
        let refusal = ScriptedServer.Answer.text("too large", status: 413).early(afterBodyBytes: 10)
        for answer in [refusal, refusal.closing(), refusal.chunked()] {
            let server = try ScriptedServer(answer)
            defer { server.stop() }
            let ended = ScriptedServer.Gate()
            let (chunks, continuation) = AsyncStream<Data>.makeStream()
            continuation.onTermination = { _ in ended.open() }
            continuation.yield(Data(count: 100))
            let repository = AbstractRepository(configuration: server.configuration())

            let failure = await repository.perform(Request<Void>.put("file", body: .stream(chunks))).failure

            #expect(failure?.label == "requestError")
            while !ended.isOpen { await Task.yield() }
        }
    }

    @Test("by nothing, because its task is cancelled, ends its sequence and its connection")
    func cancelled() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.status(204).uploadHeld(until: gate, afterBodyBytes: 100))
        defer { server.stop() }
        let ended = ScriptedServer.Gate()
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        continuation.onTermination = { _ in ended.open() }
        continuation.yield(Data(count: 1000))
        let repository = AbstractRepository(configuration: server.configuration())
        let task = Task { await repository.perform(Request<Void>.put("file", body: .stream(chunks))) }
        try await gate.waiters(count: 1)

        task.cancel()

        #expect(await task.value.failure?.label == "cancelled")
        while !ended.isOpen { await Task.yield() }
        try await server.closedConnections(count: 1)
    }

    @Test("in a stream while it is still sent, has both go on side by side")
    func bothWays() async throws {
        let server = try ScriptedServer(.text("early").early(afterBodyBytes: 3))
        defer { server.stop() }
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("abc".utf8))
        let repository = AbstractRepository(configuration: server.configuration())

        let response = try await repository.performStreaming(.post("echo", body: .stream(chunks))).get()

        #expect(response.status == 200)
        continuation.finish()
        #expect(try await ResponseStreamTests.read(response) == Data("early".utf8))
    }

    @Test(
        "case 2: by a redirect that wants the same again is sent again whole, if it can be",
        arguments: [307, 308],
        Kind.allCases
    )
    func replayed(status: Int, kind: Kind) async throws {
        let server = try ScriptedServer(.redirect(to: "/new", status: status), .status(204))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let isOneShot = kind == .stream || kind == .sizedStream

        let failure = await repository.perform(Request<Void>.post("old", body: try body(kind, size: 300_000))).failure

        #expect(failure?.label == (isOneShot ? "bodyNotReplayable" : nil))
        let requests = server.requests
        #expect(requests.count == (isOneShot ? 1 : 2))
        #expect(Set(requests.map(\.method)) == ["POST"])
        #expect(Set(requests.map(\.bodyDigest)).count == 1)
        #expect(Set(requests.map { $0.headers["Content-Type"] }).count == 1)
        #expect(requests[0].bodyLength >= 300_000)
    }

    @Test("case 3: by a redirect to a GET is not sent again, and need not be", arguments: Kind.allCases)
    func dropped(kind: Kind) async throws {
        let server = try ScriptedServer(.redirect(to: "/new", status: 303), .text("done"))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        try await repository.perform(Request<Void>.post("old", body: try body(kind, size: 1000))).get()

        let second = try await server.request(1)
        #expect(second.method == "GET")
        #expect(second.bodyLength == 0)
        #expect(second.headers["Content-Type"] == nil)
    }

    @Test("by a failure that may pass is tried again only if it can be sent again", arguments: Kind.allCases)
    func retried(kind: Kind) async throws {
        let server = try ScriptedServer(.status(503), .hangUp, .status(204))
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.retry = .standard
                $0.retry.maximumAttempts = 5
                $0.retry.baseDelay = .zero
            }
        )

        let failure = await repository.perform(Request<Void>.put("file", body: try body(kind, size: 1000))).failure

        if kind == .stream || kind == .sizedStream {
            #expect(failure?.label == "requestError")
            #expect(server.requests.count == 1)
        } else {
            #expect(failure == nil)
            #expect(Set(server.requests.map(\.bodyDigest)).count == 1)
        }
    }
}
