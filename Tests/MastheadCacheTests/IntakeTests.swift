import FoundationEssentials
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

/// What has come of payloads that are not whole yet counts like everything else, and does not outlive its process.
@Suite("Payloads that are coming", .timeLimit(.minutes(1)))
struct IntakeTests {
    private static let megabyte = 1 << 20

    private func server(_ size: Int) throws -> ScriptedServer {
        try ScriptedServer { _ in
            ScriptedServer.Answer(status: 200, headers: ["Cache-Control": "max-age=60"], body: Data(count: size))
        }
    }

    private func issues(_ server: ScriptedServer, _ folder: CacheFolder) -> IssueRepository {
        let configuration = server.configuration { [clock = folder.clock] in
            $0.time = clock
            // As many as rest at once.
            $0.maximumConnectionsPerHost = 16
        }
        return IssueRepository(configuration: configuration, cache: folder.cache)
    }

    /// Begins to read an answer, so far that some of it is on its way to the disk.
    private func begin(_ name: String, _ size: Int, _ issues: IssueRepository) async throws -> AsyncChunks {
        let response = try await issues.performStreaming(.get("issues/\(name)")).get()
        var chunks = AsyncChunks(response)
        try await chunks.read(atLeast: size)
        return chunks
    }

    /// Looks at the only file as another program would.
    private func look<Value: Sendable>(
        at folder: CacheFolder,
        _ job: @escaping @Sendable (Connection) throws(DatabaseError) -> Value
    ) async throws -> Value {
        let file = try #require(folder.files.first { $0.hasSuffix(".cache") })
        let database = Database(path: "\(folder.path)/cache/\(file)")
        let value = try await database.write(job)
        await database.close()
        return value
    }

    private func sizes(_ folder: CacheFolder) async throws -> (counted: Int, bodies: Int, coming: Int) {
        try await look(at: folder) { (connection) throws(DatabaseError) in
            (
                try connection.value("SELECT bytes FROM total") ?? 0,
                try connection.value("SELECT coalesce(sum(length(bytes)), 0) FROM body") ?? 0,
                try connection.value("SELECT count(*) FROM entry WHERE pieces < 0") ?? 0
            )
        }
    }

    @Test("count in the bound, go when there is no room, and are told off when they are given up")
    func counted() async throws {
        let folder = try CacheFolder { $0.diskLimit = 4 * Self.megabyte }
        let server = try server(Self.megabyte - 1)
        defer { server.stop() }
        let issues = issues(server, folder)
        do {
            var reading: [AsyncChunks] = []
            for number in 0..<8 { reading.append(try await begin("\(number)", 800_000, issues)) }
            try? await issues.cached?.flush()
            let sizes = try await sizes(folder)
            #expect(sizes.bodies <= 4 * Self.megabyte, "eight times 768 KiB do not fit")
            #expect(sizes.counted >= sizes.bodies && sizes.coming > 0)
            #expect(sizes.counted - sizes.bodies < 64 << 10)
            // The last is not the one that had to make room.
            for place in reading.indices { try await reading[place].read(atLeast: .max) }
            try? await issues.cached?.flush()
            let last: Request<HTTPResponse> = .get("issues/7")
            #expect(try await issues.performRaw(last.cached(.cacheOnly)).get().body.count == Self.megabyte - 1)
            _ = try await begin("given-up", 800_000, issues)
        }
        try? await issues.cached?.flush()
        let sizes = try await sizes(folder)
        #expect(sizes.coming == 0 && sizes.bodies <= sizes.counted && sizes.counted - sizes.bodies < 64 << 10)
    }

    @Test("go at the next start if their process has ended, and stay while another takes them in")
    func interrupted() async throws {
        let folder = try CacheFolder()
        let server = try server(Self.megabyte)
        defer { server.stop() }
        let issues = issues(server, folder)
        var chunks = try await begin("slow", 600_000, issues)
        try await issues.cached?.flush()
        // What a process leaves that is killed meanwhile.
        try await look(at: folder) { (connection) throws(DatabaseError) in
            try connection.execute(
                """
                INSERT INTO entry (id, key, variant, version, revision, stored, size, pieces, used, head)
                    VALUES (900, x'01', x'02', 0, 7, 0, 3, -1, 0, x'');
                INSERT INTO body VALUES (900 << 20, x'010203');
                UPDATE total SET bytes = bytes + 3 + 1 + 256;
                """
            )
        }
        let other = folder.restarted()
        let partition = try #require(other.cache.partition(for: server.configuration()))
        try await partition.set(1, for: "n")
        try await partition.flush()
        #expect(try await sizes(folder).coming == 2, "one of them is still coming")
        try await other.cache.close()

        try await chunks.read(atLeast: .max)
        try await issues.cached?.flush()
        let slow: Request<HTTPResponse> = .get("issues/slow")
        #expect(try await issues.performRaw(slow.cached(.cacheOnly)).get().body.count == Self.megabyte)
        try await folder.cache.close()

        let next = folder.restarted()
        let again = try #require(next.cache.partition(for: server.configuration()))
        try await again.set(2, for: "n")
        try await again.flush()
        let sizes = try await sizes(folder)
        #expect(sizes.coming == 0 && sizes.bodies == Self.megabyte + 1)
        #expect(sizes.counted >= sizes.bodies && sizes.counted - sizes.bodies < 2048)
    }
}

/// The chunks of an answer, read a few at a time.
private struct AsyncChunks {
    private var chunks: ResponseStream.Chunks.AsyncIterator
    private var count = 0

    init(_ response: ResponseStream) { chunks = response.chunks.makeAsyncIterator() }

    mutating func read(atLeast size: Int) async throws {
        while count < size, let chunk = try await chunks.next() { count += chunk.count }
    }
}
