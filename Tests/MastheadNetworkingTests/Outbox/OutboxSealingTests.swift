import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

@Suite("A sealed outbox", .timeLimit(.minutes(1)))
struct OutboxSealingTests {
    private let session = SessionManager<Reader>(store: RecordingStore())

    /// A write with something to be kept to oneself in each of its parts.
    private static func personal(_ number: Int) -> OutboxWrite {
        OutboxWrite(
            "kind-pl4in",
            in: "lane-pl4in",
            .post(
                "notes/\("path-pl4in")",
                query: ["q": ["query-pl4in"]],
                headers: ["X-Note": "head-pl4in", "Idempotency-Key": "key-pl4in-\(number)"],
                body: .text("body-pl4in \(number)")
            )
        ).showing("value-pl4in \(number)", for: "name-pl4in")
    }

    @Test("shows nothing of what it keeps on disk, and sends it as it is; the session's token store has its key")
    func seals() async throws {
        let status = Lock(422)
        let bench = try OutboxBench { _ in .answer(status.withLock { $0 }, body: "answer-pl4in") }
        try await session.login(Reader(name: "ada", token: "t"))
        let writes = [Self.personal(1), Self.personal(2)]
        do {
            let outbox = try await bench.open(session: session) { $0.encryption = .session }
            try await outbox.enqueue(writes).get()
            #expect(await outbox.drain().parked == 1)
            #expect(try bench.bytes().contains("pl4in") == false, "neither in the file nor in its log")
            await outbox.close()
        }
        #expect(try bench.bytes().contains("pl4in") == false)

        let shown = ShownValues()
        let outbox = try await bench.open(session: session, showing: shown) { $0.encryption = .session }
        #expect(await shown.shown == ["name-pl4in": "value-pl4in 2"])
        let items = try await outbox.items().get()
        #expect(items.map(\.kind) == ["kind-pl4in", "kind-pl4in"])
        #expect(items.map(\.lane) == ["lane-pl4in", "lane-pl4in"])
        #expect(items.map(\.valueKey) == ["name-pl4in", "name-pl4in"])
        #expect(items.map(\.state) == [.parked, .pending])
        #expect(items.first.flatMap { $0.failure?.body } == Data("answer-pl4in".utf8))
        #expect(try await outbox.value(String.self, for: "name-pl4in").get() == "value-pl4in 2")
        status.withLock { $0 = 200 }
        try await outbox.retry(writes[0].id).get()
        #expect(await outbox.drain().sent == 2)
        let request = try #require(bench.server.requests.last)
        #expect(request.target == "/v2/notes/path-pl4in?q%5B%5D=query-pl4in" && request.text == "body-pl4in 2")
        #expect(request.headers["X-Note"] == "head-pl4in" && request.headers["Idempotency-Key"] == "key-pl4in-2")
    }

    @Test("is left as it is by whoever has another key, or none, and is whole for who has the right one")
    func otherKeys() async throws {
        let bench = try OutboxBench()
        let mine = OutboxEncryption.secret(Secret("0123456789abcdef0123456789abcdef"))
        let outbox = try await bench.open { $0.encryption = mine }
        try await outbox.enqueue(Self.personal(1)).get()
        await outbox.close()
        for other in [nil, OutboxEncryption.secret(Secret("another 0123456789abcdef012345"))] {
            await #expect { try await bench.open { $0.encryption = other } } throws: { error in
                if case RepositoryError.wrongKey = error { true } else { false }
            }
        }
        await #expect { try await bench.open(session: session) { $0.encryption = .session } } throws: { error in
            if case RepositoryError.unauthenticatedSession = error { true } else { false }
        }
        let again = try await bench.open { $0.encryption = mine }
        #expect(await again.drain().sent == 1 && bench.sent == ["body-pl4in 1"])
        try await again.enqueue(Self.personal(2)).get()
        await again.close()

        try await Outbox.remove(in: bench.place, for: "ada", at: bench.configuration).get()
        #expect(try await bench.open().items().get().isEmpty)
    }

    @Test("a piece in another's place is not taken for its own")
    func bound() async throws {
        let bench = try OutboxBench()
        let mine = OutboxEncryption.secret(Secret("0123456789abcdef0123456789abcdef"))
        let outbox = try await bench.open { $0.encryption = mine }
        try await outbox.enqueue([Self.personal(1), Self.personal(2)]).get()
        await outbox.close()
        let database = Database(path: try bench.file())
        try await database.write { connection throws(DatabaseError) in
            try connection.run("UPDATE item SET body = (SELECT body FROM item ORDER BY place DESC LIMIT 1)")
        }
        await database.close()
        let again = try await bench.open { $0.encryption = mine }
        #expect(await again.drain().failure?.label == "fileAccess")
        #expect(bench.sent.isEmpty)
    }

    @Test("takes what was kept in the clear over, and gives it back; of a file of the first version too")
    func takesOver() async throws {
        let bench = try OutboxBench()
        try await bench.open().close()
        let path = try bench.file()
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        let old = Database(path: path, schema: Self.firstVersion)
        try await old.write { connection throws(DatabaseError) in
            for number in 1...2 {
                try connection.run(
                    """
                    INSERT INTO item (id, kind, lane, key, method, target, headers, body, uses_session, value_key,
                        value, state, date)
                    VALUES (?, 'kind-pl4in', 'lane-pl4in', ?, 'POST', '/notes?q=query-pl4in',
                        '[["X-Note","head-pl4in"]]', ?, 1, 'name-pl4in', ?, 0, 1)
                    """,
                    "w\(number)",
                    "key-pl4in-\(number)",
                    Data("body-pl4in \(number)".utf8),
                    Data("\"value-pl4in \(number)\"".utf8)
                )
            }
        }
        await old.close()

        let plain = try await bench.open()
        #expect(try await plain.items().get().map(\.id.rawValue) == ["w1", "w2"])
        await plain.close()
        #expect(try bench.bytes().contains("pl4in"), "they are looked for where they are")
        try await session.login(Reader(name: "ada", token: "t"))
        let sealed = try await bench.open(session: session) { $0.encryption = .session }
        #expect(try bench.bytes().contains("pl4in") == false, "nothing is left in the clear")
        #expect(try await sealed.value(String.self, for: "name-pl4in").get() == "value-pl4in 2")
        await sealed.close()
        let again = try await bench.open(session: session)
        #expect(try await again.items().get().map(\.lane) == ["lane-pl4in", "lane-pl4in"])
        #expect(await again.drain().sent == 2)
        #expect(bench.sent == ["body-pl4in 1", "body-pl4in 2"])
        #expect(bench.server.requests.map { $0.headers["X-Note"] } == ["head-pl4in", "head-pl4in"])
        #expect(bench.server.requests.map { $0.headers["Idempotency-Key"] } == ["key-pl4in-1", "key-pl4in-2"])
    }

    /// What the file looked like when it was first shipped.
    private static let firstVersion = Schema(
        applicationID: 0x4D48_4F42,
        migrations: [
            Migration(
                to: 1,
                """
                CREATE TABLE item (place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
                    lane TEXT NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, target TEXT NOT NULL,
                    headers TEXT NOT NULL, body BLOB, uses_session INTEGER NOT NULL, timeout REAL, value_key TEXT,
                    value BLOB, state INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, not_before REAL,
                    failure BLOB, date REAL NOT NULL);
                CREATE INDEX item_of_lane ON item (lane, place);
                CREATE INDEX item_of_state ON item (state, place);
                CREATE INDEX item_of_value ON item (value_key, place) WHERE value_key IS NOT NULL;
                CREATE TABLE dependency (item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE, needs TEXT NOT NULL,
                    PRIMARY KEY (item, needs)) WITHOUT ROWID;
                CREATE INDEX dependency_of_needs ON dependency (needs);
                """
            )
        ]
    )
}

extension OutboxBench {
    /// Where the outbox's file is.
    func file() throws -> String {
        let name = try FileManager.default.contentsOfDirectory(atPath: place).first { $0.hasSuffix(".db") }
        return "\(place)/\(try #require(name))"
    }

    /// All that is on disk, as a text.
    func bytes() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: place).map { name in
            String(decoding: FileManager.default.contents(atPath: "\(place)/\(name)") ?? Data(), as: UTF8.self)
        }.joined()
    }
}
