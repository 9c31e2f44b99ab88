import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Downloads over real sockets.
@Suite("A download", .timeLimit(.minutes(2)))
struct DownloadTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test("puts the file into its place, and nothing beside it")
    func download() async throws {
        let server = try ScriptedServer(.text("content").adding("yes", for: "X-Mine"))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        let file = try await repository.download(.get("file"), to: folder.path("file")).get()

        #expect(file.path == folder.path("file"))
        #expect(file.size == 7)
        #expect(file.resumedFrom == 0)
        #expect(file.headers["X-Mine"] == "yes")
        #expect(file.url == server.baseURL.appending(path: "file"))
        #expect(folder.content("file") == Data("content".utf8))
        #expect(folder.names == ["file"])
        #expect(try await server.request(0).headers["Accept-Encoding"] == "identity")
    }

    @Test("replaces what was there only when it has all of it")
    func replaces() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("content").held(until: gate, afterBodyBytes: 3))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = try folder.file("file", Data("old".utf8))

        let task = Task { await repository.download(.get("file"), to: path) }
        try await gate.waiters(count: 1)
        #expect(folder.content("file") == Data("old".utf8))
        gate.open()

        #expect(try await task.value.get().size == 7)
        #expect(folder.content("file") == Data("content".utf8))
    }

    @Test("tells how far it is")
    func progress() async throws {
        let server = try ScriptedServer(.generated(byteCount: 3 << 20))
        defer { server.stop() }
        let steps = Lock<[TransferProgress]>([])

        _ = try await AbstractRepository(configuration: server.configuration())
            .download(.get("file"), to: folder.path("file"), onProgress: { step in steps.withLock { $0.append(step) } })
            .get()

        let seen = steps.withLock { $0 }
        #expect(seen.last == TransferProgress(completed: 3 << 20, total: 3 << 20))
        #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
        #expect(seen.allSatisfy { $0.total == 3 << 20 })
    }

    @Test(
        "takes the bytes themselves for the file, whatever their frame or coding is",
        arguments: [
            .text("content").chunked(size: 3), .text("content").endedByClose(),
            .data(ServedFile.gzipOfContent).adding("gzip", for: "Content-Encoding"),
            .data(ServedFile.gzipOfContent).adding("gzip", for: "Content-Encoding").chunked(size: 1),
        ] as [ScriptedServer.Answer]
    )
    func frames(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer(answer)
        defer { server.stop() }

        let file = try await AbstractRepository(configuration: server.configuration())
            .download(.get("file"), to: folder.path("file")).get()

        #expect(file.size == 7)
        #expect(folder.content("file") == Data("content".utf8))
    }

    @Test("makes an empty file of an empty body, and none of an answer without one")
    func empty() async throws {
        let server = try ScriptedServer(.data(Data()), .status(204), .text("later", status: 202))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = folder.path("file")

        #expect(try await repository.download(.get("file"), to: path).get().size == 0)
        #expect(folder.content("file") == Data())
        _ = try folder.file("file", Data("old".utf8))
        for label in ["emptyBody", "invalidResponse"] {
            #expect(await repository.download(.get("file"), to: path).failure?.label == label)
            #expect(folder.content("file") == Data("old".utf8))
            #expect(folder.names == ["file"])
        }
    }

    @Test("leaves the file as it is when the server says that it is still right")
    func notModified() async throws {
        let server = try ScriptedServer(.status(304), .status(304))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = try folder.file("file", Data("old".utf8))
        let request = Request<DownloadedFile>.get("file", headers: ["If-None-Match": "\"v1\""])

        #expect(try await repository.download(request, to: path).get().size == 3)
        #expect(folder.content("file") == Data("old".utf8))
        #expect(await repository.download(request, to: folder.path("other")).failure?.label == "emptyBody")
        #expect(folder.names == ["file"])
    }

    @Test("leaves the file as it is when the server refuses, and brings what that says")
    func refused() async throws {
        let server = try ScriptedServer(
            .json(#"{"reason": "sold out"}"#, status: 410),
            .data(ServedFile.gzipOfContent, status: 404).adding("gzip", for: "Content-Encoding")
        )
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = try folder.file("file", Data("old".utf8))

        for body in [#"{"reason": "sold out"}"#, "content"] {
            guard case .requestError(let error) = await repository.download(.get("file"), to: path).failure else {
                Issue.record("no refusal")
                return
            }
            #expect(String(decoding: error.body, as: UTF8.self) == body)
        }
        #expect(folder.content("file") == Data("old".utf8))
        #expect(folder.names == ["file"])
    }

    @Test(
        "leaves no part that cannot be gone on with",
        arguments: [
            .text("content").claimingLength(100), .text("content").chunked(size: 2, isEnded: false),
            .text("content").claimingLength(100).adding("W/\"weak\"", for: "ETag"), .hangUp, .garbage(), .reset,
            .data(ServedFile.gzipOfContent.dropLast(4)).adding("gzip", for: "Content-Encoding"),
            .text("no gzip").adding("gzip", for: "Content-Encoding"), .text("?").adding("x", for: "Content-Encoding"),
            .text("part", status: 206).adding("bytes 0-3/4", for: "Content-Range"), .status(416), .status(500),
        ] as [ScriptedServer.Answer]
    )
    func leavesNothing(answer: ScriptedServer.Answer) async throws {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        #expect(await repository.download(.get("file"), to: folder.path("file")).failure != nil)
        #expect(folder.names.isEmpty)
    }

    @Test("is a GET, and asks for its own ranges")
    func refusesOthers() async throws {
        let server = try ScriptedServer()
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = folder.path("file")

        for request in [
            Request<DownloadedFile>(method: .head, path: "file"), .post("file"),
            .get("file", headers: ["Range": "bytes=1-"]),
        ] {
            #expect(await repository.download(request, to: path).failure?.label == "invalidRequest")
        }
        #expect(server.requests.isEmpty)
        #expect(folder.names.isEmpty)
    }

    @Test("follows a redirect to another host, without its secrets")
    func redirect() async throws {
        let away = try ScriptedServer(.text("content"))
        let home = try ScriptedServer(.redirect(to: "\(away.baseURL)/there"))
        defer { away.stop() }
        defer { home.stop() }
        let repository = AbstractRepository(
            configuration: home.configuration(),
            defaultHeaders: ["Authorization": "Bearer s3cret"]
        )

        let file = try await repository.download(.get("file"), to: folder.path("file")).get()

        #expect(file.url.absoluteString == "\(away.baseURL)/there")
        #expect(folder.content("file") == Data("content".utf8))
        #expect(try await away.request(0).headers["Authorization"] == nil)
    }

    @Test("comes of an executor that knows no files, too")
    func ofMemory() async throws {
        let stub = StubExecutor { _ in .text("content") }
        let steps = Lock<[TransferProgress]>([])
        let repository = AbstractRepository(configuration: .test(), executor: stub)

        let file = try await repository.download(
            .get("file"),
            to: folder.path("file"),
            onProgress: { step in steps.withLock { $0.append(step) } }
        ).get()

        #expect(file.size == 7)
        #expect(folder.content("file") == Data("content".utf8))
        #expect(folder.names == ["file"])
        #expect(steps.withLock { $0 } == [TransferProgress(completed: 7, total: 7)])
    }

    @Test("is written down by a recorder, and made of that again")
    func recorded() async throws {
        let server = try ScriptedServer(.text("content"))
        defer { server.stop() }
        let answers = folder.path("answers")
        let recorder = try RecordingExecutor(folder: answers)
        let first = AbstractRepository(configuration: server.configuration(), executor: recorder)
        #expect(try await first.download(.get("file"), to: folder.path("first")).get().size == 7)

        let second = AbstractRepository(
            configuration: server.configuration(),
            executor: try StubExecutor(folder: answers)
        )
        #expect(try await second.download(.get("file"), to: folder.path("second")).get().size == 7)
        #expect(folder.content("second") == Data("content".utf8))
    }
}

extension ServedFile {
    /// "content", stored in a gzip member.
    static let gzipOfContent = Data([
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, 7, 0, 0xF8, 0xFF, 0x63, 0x6F, 0x6E, 0x74, 0x65, 0x6E, 0x74, 0xA9, 0x30,
        0xC5, 0xFE, 7, 0, 0, 0,
    ])
}
