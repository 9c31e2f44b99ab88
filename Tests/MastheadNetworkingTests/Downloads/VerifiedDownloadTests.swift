import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// Downloads whose digest is known.
@Suite("A download with a checksum", .timeLimit(.minutes(1)))
struct VerifiedDownloadTests {
    /// The SHA-256 of "content", by sha256sum.
    private static let digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    private static let field = "sha-256=:7XACtDnprIRfIjV9giusFERzD722AW0+yUMil7nsn3M=:"

    private let folder: TestFolder
    private let server: ScriptedServer

    init() throws {
        folder = try TestFolder()
        server = try ScriptedServer()
    }

    private func download(
        _ answer: ScriptedServer.Answer,
        checksum: Checksum? = nil
    ) async -> Result<DownloadedFile, RepositoryError> {
        server.answer(answer)
        let repository = AbstractRepository(configuration: server.configuration())
        return await repository.download(.get("file"), to: folder.path("file"), checksum: checksum)
    }

    @Test("is put into its place if it is the file")
    func right() async throws {
        #expect(try await download(.text("content"), checksum: .sha256(Self.digest)).get().size == 7)
        #expect(folder.content("file") == Data("content".utf8))
    }

    @Test("leaves nothing of another file, not even a part to go on with")
    func wrong() async throws {
        _ = try folder.file("file", Data("old".utf8))
        let answer = ScriptedServer.Answer.text("c0ntent").adding("\"v1\"", for: "ETag")

        let failure = await download(answer, checksum: .sha256(Self.digest)).failure

        #expect(failure?.label == "corruptBody")
        #expect(folder.content("file") == Data("old".utf8))
        #expect(folder.names == ["file"])
    }

    @Test("is not asked for with a text that is no checksum")
    func noChecksum() async throws {
        #expect(await download(.text("content"), checksum: .sha256("abc")).failure?.label == "invalidRequest")
        #expect(folder.names.isEmpty)
    }

    @Test(
        "is held to what the server says itself, of the whole and of a coded one not",
        arguments: ["Repr-Digest", "Content-Digest"]
    )
    func ofServer(name: String) async throws {
        #expect(await download(.text("content").adding(Self.field, for: name)).failure == nil)
        #expect(await download(.text("c0ntent").adding(Self.field, for: name)).failure?.label == "corruptBody")
        let coded = ScriptedServer.Answer.data(ServedFile.gzipOfContent).adding("gzip", for: "Content-Encoding")
        #expect(
            await download(coded.adding("sha-256=:\(String(repeating: "A", count: 43))=:", for: name)).failure
                == nil
        )
    }

    @Test("case 20: is checked over all of it, whenever it came")
    func resumed() async throws {
        let served = ServedFile(content: Data("content".utf8))
        #expect(await download(served.whole.cut(afterBodyBytes: 4)).failure?.label == "incompleteBody")
        // Somebody changed the part meanwhile.
        _ = try folder.file("file.part", Data("c0nt".utf8))
        #expect(
            await download(served.part(from: 4), checksum: .sha256(Self.digest)).failure?.label == "corruptBody"
        )
        #expect(folder.names.isEmpty)

        #expect(await download(served.whole.cut(afterBodyBytes: 4)).failure?.label == "incompleteBody")
        let part = served.part(from: 4).adding(Self.field, for: "Repr-Digest")
        #expect(try await download(part, checksum: .sha256(Self.digest)).get().resumedFrom == 4)
        #expect(folder.content("file") == Data("content".utf8))
    }

    @Test("is not held to what a server says of its refusal")
    func ofRefusal() async throws {
        let served = ServedFile(content: Data("content".utf8))
        _ = await download(served.whole.chunked(size: 2).cut(afterBodyBytes: 6))
        _ = try folder.file("file.part", served.content)
        let refusal = served.part(from: 7).adding("sha-256=:\(String(repeating: "A", count: 43))=:", for: "Repr-Digest")

        #expect(try await download(refusal).get().resumedFrom == 7)
    }
}
