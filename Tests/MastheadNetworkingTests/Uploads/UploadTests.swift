import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Bodies from files, forms and streams, over real sockets.
@Suite("An upload", .timeLimit(.minutes(2)))
struct UploadTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func send(_ body: RequestBody, to server: ScriptedServer) async -> Result<Void, RepositoryError> {
        await AbstractRepository(configuration: server.configuration()).perform(Request<Void>.put("file", body: body))
    }

    @Test("of a file sends its bytes, with their length and type, and asks for no leave to")
    func file() async throws {
        let server = try ScriptedServer(.status(204).withoutContinue())
        defer { server.stop() }
        let content = ServedFile.bytes(3 << 20)
        let path = try folder.file("cover.png", content)

        try await send(.file(path, contentType: "image/png"), to: server).get()

        let request = try await server.request(0)
        #expect(request.body == content)
        #expect(request.headers["Content-Length"] == "\(content.count)")
        #expect(request.headers["Content-Type"] == "image/png")
        #expect(request.headers["Expect"] == nil)
        #expect(request.headers["Transfer-Encoding"] == nil)
    }

    @Test("of an empty file sends an empty body, and of none nothing")
    func noFile() async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }

        try await send(.file(folder.file("empty", Data())), to: server).get()
        for path in [folder.path("none"), folder.path(""), "/dev/null", ""] {
            #expect(await send(.file(path), to: server).failure?.label == "invalidRequest", "\(path)")
        }

        #expect(server.requests.map { $0.headers["Content-Length"] } == ["0"])
    }

    @Test("of a form is what RFC 7578 says, to the byte")
    func multipart() async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }
        let path = try folder.file("sea \"and\" port.txt", Data("waves".utf8))
        let form: MultipartForm = [.field("title", "Häfen"), .file("text", path: path, contentType: "text/plain")]

        try await send(.multipart(form), to: server).get()

        let request = try await server.request(0)
        let type = try #require(request.headers["Content-Type"])
        #expect(type == form.contentType)
        let boundary = try #require(type.split(separator: "boundary=").last)
        let expected =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHäfen\r\n"
            + "--\(boundary)\r\nContent-Disposition: form-data; name=\"text\"; filename=\"sea %22and%22 port.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\nwaves\r\n--\(boundary)--\r\n"
        #expect(request.text == expected)
        #expect(request.headers["Content-Length"] == "\(expected.utf8.count)")
        #expect(request.parts.map(\.text) == ["Häfen", "waves"])
    }

    @Test("of a stream is framed by its length, or in chunks", arguments: [6, nil] as [Int?])
    func stream(length: Int?) async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }

        try await send(.stream(Self.chunks("a", "", "bc", "def"), length: length), to: server).get()

        let request = try await server.request(0)
        #expect(request.text == "abcdef")
        #expect(request.headers["Content-Length"] == length.map { "\($0)" })
        #expect((request.headers["Transfer-Encoding"] == "chunked") == (length == nil))
    }

    @Test("of a stream that breaks its word ends in a typed error, and the server sees no whole request")
    func brokenWord() async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }
        func failing() -> AsyncThrowingStream<Data, any Error> {
            AsyncThrowingStream { continuation in
                continuation.yield(Data("ab".utf8))
                continuation.finish(throwing: CancellationError())
            }
        }

        for body: RequestBody in [
            .stream(Self.chunks("abc"), length: 4), .stream(Self.chunks("abc", "def"), length: 4),
            .stream(failing(), length: 4), .stream(failing()),
        ] {
            #expect(await send(body, to: server).failure?.label == "fileAccess")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("of a file that becomes shorter meanwhile ends in a typed error")
    func shrinks() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.status(204).uploadHeld(until: gate, afterBodyBytes: 1000))
        defer { server.stop() }
        let path = try sparseFile(of: 64 << 20)

        let task = Task { await send(.file(path), to: server) }
        try await gate.waiters(count: 1)
        try FileHandleLength.set(1000, of: path)
        gate.open()

        #expect(await task.value.failure?.label == "fileAccess")
        #expect(server.requests.isEmpty)
    }

    @Test("tells how far it is")
    func progress() async throws {
        let server = try ScriptedServer(.status(204), .status(204))
        defer { server.stop() }
        let steps = Lock<[TransferProgress]>([])
        let path = try sparseFile(of: 3 << 20)

        let body = RequestBody.file(path).onProgress { step in steps.withLock { $0.append(step) } }
        try await send(body, to: server).get()

        let seen = steps.withLock { $0 }
        #expect(seen.last == TransferProgress(completed: 3 << 20, total: 3 << 20))
        #expect(seen.count > 3)
        #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
    }

    @Test("case 24: holds the sequence back while the server does not read, for any time")
    func backPressure() async throws {
        let gate = ScriptedServer.Gate()
        let clock = ManualClock()
        let held = ScriptedServer.Answer.status(204).uploadHeld(until: gate).uploadKept(bytes: 0)
        let server = try ScriptedServer(
            respondToHead: { $0.method == "PUT" ? held : nil },
            respond: { _ in .text("ok") }
        )
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.time = clock })
        let made = Lock(0)
        let count = 1024
        let chunks = AsyncStream<Data>(unfolding: {
            let number = made.withLock { made in
                made += 1
                return made
            }
            return number <= count ? Data(repeating: 1, count: 64 << 10) : nil
        })

        let task = Task { await repository.perform(Request<Void>.put("file", body: .stream(chunks))) }
        var (last, rounds) = (0, 0)
        while rounds < 50 {
            try await repository.perform(Request<Void>.get("small")).get()
            let now = made.withLock { $0 }
            rounds = now == last && now > 0 ? rounds + 1 : 0
            last = now
        }
        #expect(last < 256, "16 MiB are more than all buffers hold")
        gate.open()

        try await task.value.get()
        let request = try #require(server.requests.first { $0.method == "PUT" })
        #expect(request.bodyLength == count * 64 << 10)
    }

    @Test("of a form of 256 MiB takes no more memory than a small one")
    func flatMemory() async throws {
        await #expect(processExitsWith: .success) {
            let size = 256 << 20
            let server = try ScriptedServer(.status(204), .status(204).uploadKept(bytes: 0))
            let repository = AbstractRepository(configuration: server.configuration())
            let folder = try TestFolder()
            let path = try folder.file("big", Data())
            try FileHandleLength.set(size, of: path)
            try await repository.perform(Request<Void>.put("small", body: .multipart([.field("a", "b")]))).get()
            let before = try PeakMemory.bytes()

            let form: MultipartForm = [.field("title", "big"), .file("file", path: path)]
            try await repository.perform(Request<Void>.post("big", body: .multipart(form))).get()

            #expect(try await server.request(1).parts.map(\.bodyLength) == [3, size])
            #expect(try PeakMemory.bytes() - before < 16 << 20)
        }
    }

    static func chunks(_ words: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for word in words { continuation.yield(Data(word.utf8)) }
            continuation.finish()
        }
    }

    private func sparseFile(of size: Int) throws -> String {
        let path = try folder.file("sparse", Data())
        try FileHandleLength.set(size, of: path)
        return path
    }
}
