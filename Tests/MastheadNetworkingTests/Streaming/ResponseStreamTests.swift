import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

struct ResponseStreamTests {
    @Test("brings the head first, and the body in lines")
    func lines() async throws {
        let server = try ScriptedServer(.text("one\ntwo\r\nthree"))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())

        let response = try await repository.performStreaming(.get("export")).get()
        var lines: [String] = []
        for try await line in response.lines() { lines.append(line) }

        #expect(response.status == 200)
        #expect(lines == ["one", "two", "three"])
    }

    @Test("brings a file, and puts it into its place")
    func download() async throws {
        let server = try ScriptedServer(.text("content"))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let folder = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "file").path(percentEncoded: false)

        let file = try await repository.download(.get("file"), to: path).get()

        #expect(file.size == 7)
        #expect(FileManager.default.contents(atPath: path) == Data("content".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) == ["file"])
    }

    @Test("sends what a sequence makes")
    func upload() async throws {
        let server = try ScriptedServer(.status(204))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let chunks = AsyncStream<Data> { continuation in
            for word in ["a", "bc", "def"] { continuation.yield(Data(word.utf8)) }
            continuation.finish()
        }

        try await repository.perform(Request<Void>.put("file", body: .stream(chunks))).get()

        #expect(server.requests.map(\.body) == [Data("abcdef".utf8)])
    }
}
