import FoundationEssentials
import MastheadSQLite
import Testing

@Suite("Statements")
struct StatementTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path())
    }

    @Test("binds each kind of value and reads it back")
    func bindsAndReads() async throws {
        try await database.write { connection throws(DatabaseError) in
            try connection.execute("CREATE TABLE v (i, d, b, t, y, z, n, e, f, long)")
            let data = Data([1, 2, 3])
            let borrowed: [UInt8] = [7, 8, 9]
            let long = String(repeating: "größer", count: 1000)
            try borrowed.span.bytes.withUnsafeBytes { (bytes) throws(DatabaseError) in
                try connection.run(
                    "INSERT INTO v (i, d, b, t, y, z) VALUES (?, ?, ?, ?, ?, ?)",
                    Int64.min,
                    0.5,
                    true,
                    "a\0b",
                    data,
                    bytes
                )
                try connection.run("UPDATE v SET n = ?, e = ?, f = ?, long = ?", String?.none, "", [UInt8](), long)
            }
            let isRight = try connection.first("SELECT *, typeof(e), typeof(f) FROM v") { row in
                row[0] == Int64.min && row[1] == 0.5 && row[2] == true && row[3] == "a\0b" && row[4] == data
                    && row[5] == [7, 8, 9] as [UInt8] && row[6] == String?.none && row[7] == ""
                    && row[8] == Data?(Data()) && row[9] == long && row[10] == "text" && row[11] == "blob"
            }
            guard isRight == true else { throw .failed(code: 0, message: "a value did not come back") }
        }
    }

    @Test("reads NULL as nothing, zero or emptiness")
    func readsNull() async throws {
        let found = try await database.read { connection throws(DatabaseError) in
            try connection.first("SELECT NULL") { row in (row[0] as Int?, row[0] as String, row[0] as Data?) }
        }
        let (number, text, data) = try #require(found)
        #expect(number == nil)
        #expect(text.isEmpty)
        #expect(data == nil)
    }

    @Test("keeps the texts of a row beyond it: what is missing, what is empty, what has a zero in it, what is no UTF-8")
    func keepsTexts() async throws {
        let rows = try await database.read { connection throws(DatabaseError) in
            try connection.all(
                "SELECT 'before', NULL, '', 'größer', CAST(x'610062' AS TEXT), CAST(x'61FF' AS TEXT), NULL, 7, 'after'"
            ) { row in
                [RowTexts(row, columns: 1..<8), RowTexts(row, columns: 1..<8), RowTexts(row, columns: 0..<1)]
            }
        }
        let texts = try #require(rows.first)
        #expect((0..<7).map { texts[0][$0] } == [nil, "", "größer", "a\0b", "a\u{FFFD}", nil, "7"])
        #expect(texts[2][0] == "before")
        #expect(texts[0] == texts[1])
        #expect(texts[0] != texts[2])
    }

    @Test("gives a column's bytes without a copy")
    func lendsBytes() async throws {
        let sum = try await database.read { connection throws(DatabaseError) in
            try connection.first("SELECT x'010203'") { row in
                row.withBytes(0) { bytes in bytes.reduce(0) { $0 + Int($1) } }
            }
        }
        #expect(sum == 6)
    }

    @Test("keeps no value for the next call")
    func clearsBindings() async throws {
        let value = try await database.read { connection throws(DatabaseError) -> Int? in
            for value in [5, nil] as [Int?] {
                let back: Int? = try connection.value("SELECT ?", value)
                if value == nil { return back }
            }
            return 0
        }
        #expect(value == nil)
    }

    @Test("refuses too few or too many values")
    func countsValues() async throws {
        await #expect(throws: DatabaseError.failed(code: 21, message: "1 values for 2 parameters in: SELECT ?, ?")) {
            try await database.read { connection throws(DatabaseError) in try connection.run("SELECT ?, ?", 1) }
        }
        await #expect(throws: DatabaseError.failed(code: 21, message: "1 values for 0 parameters in: SELECT 1")) {
            try await database.read { connection throws(DatabaseError) in try connection.run("SELECT 1", 1) }
        }
    }

    @Test("refuses a second statement, and a text without one")
    func refusesMore() async throws {
        let two = DatabaseError.failed(code: 21, message: "more than one statement in: SELECT 1; SELECT 2")
        await #expect(throws: two) {
            try await database.read { connection throws(DatabaseError) in try connection.run("SELECT 1; SELECT 2") }
        }
        await #expect(throws: DatabaseError.failed(code: 21, message: "no statement in:  -- nothing")) {
            try await database.read { connection throws(DatabaseError) in try connection.run(" -- nothing") }
        }
        try await database.read { connection throws(DatabaseError) in try connection.run("SELECT 1 ; ") }
    }

    @Test("steps through a statement within a pass through the same")
    func nests() async throws {
        let pairs = try await database.read { connection throws(DatabaseError) in
            let numbers: SQL = "SELECT 1 UNION SELECT 2 ORDER BY 1"
            var pairs: [String] = []
            try connection.each(numbers) { (outer) throws(DatabaseError) in
                let first: Int = outer[0]
                try connection.each(numbers) { inner in pairs.append("\(first)\(inner[0] as Int)") }
            }
            return pairs
        }
        #expect(pairs == ["11", "12", "21", "22"])
    }

    @Test("a text that is bound stays what it is while others are bound to statements within, however long they are")
    func bindsWithin() async throws {
        let outer = "outer " + String(repeating: "ö", count: 20)
        let lengths = [0, 5, 40, 20_000, 40_000]
        let found = try await database.read { connection throws(DatabaseError) in
            // The text is read anew for each row.
            let numbers = "WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i, ? || i FROM n"
            return try connection.all(.dynamic(numbers), outer) { (row) throws(DatabaseError) in
                let text = String(repeating: "i", count: lengths[row[0]])
                let inner: String? = try connection.value("SELECT ? || ?", text, text)
                return (row[1] as String, inner)
            }
        }
        for (number, (text, inner)) in found.enumerated() {
            #expect(text == outer + "\(number)")
            #expect(inner == String(repeating: "i", count: lengths[number] * 2))
        }
        #expect(found.count == 5)
    }

    @Test("finds every literal's own statement, however many there are")
    func findsLiterals() async throws {
        let sum = try await database.read { connection throws(DatabaseError) in
            var sum = 0
            for _ in 0..<3 {
                for text in manyLiterals { sum += try connection.value(text) ?? 0 }
            }
            return sum
        }
        #expect(manyLiterals.count == 40)
        #expect(sum == 3 * (1...40).reduce(0, +))
    }

    @Test("runs texts put together at run time, more than it keeps")
    func runsDynamicTexts() async throws {
        let sum = try await database.read { connection throws(DatabaseError) in
            var sum = 0
            for number in Array(0..<60) + Array(0..<60) + [59, 59] {
                sum += try connection.value(.dynamic("SELECT \(number)")) ?? 0
            }
            return sum
        }
        #expect(sum == 2 * (0..<60).reduce(0, +) + 118)
    }

    @Test("goes on after a schema has changed")
    func survivesSchemaChange() async throws {
        let columns = try await database.write { connection throws(DatabaseError) in
            try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
            var counts: [Int] = []
            for _ in 0..<2 {
                try connection.each("SELECT * FROM t") { counts.append($0.count) }
                if counts.count == 1 { try connection.execute("ALTER TABLE t ADD COLUMN b") }
            }
            return counts
        }
        #expect(columns == [1, 2])
    }

    @Test("says where a statement is wrong, and no value that was bound")
    func describesErrors() async throws {
        let secret = "s3cret-value"
        let missing = DatabaseError.failed(code: 1, message: "SQL logic error [1] in: SELECT * FROM nowhere")
        await #expect(throws: missing) {
            try await database.read { connection throws(DatabaseError) in try connection.run("SELECT * FROM nowhere") }
        }
        let misspelt = DatabaseError.failed(code: 1, message: "SQL logic error [1] in: SELECT * FORM note (at byte 9)")
        await #expect(throws: misspelt) {
            try await database.read { connection throws(DatabaseError) in try connection.run("SELECT * FORM note") }
        }
        let errors = await [
            failure { connection throws(DatabaseError) in
                try connection.run("SELECT json_extract(?, '$')", secret)
            },
            failure { connection throws(DatabaseError) in
                try connection.run(.dynamic("SELECT '\(secret)' FROM nowhere"))
            },
            failure { connection throws(DatabaseError) in
                try connection.execute(.dynamic("CREATE TABLE u (a CHECK (a != '\(secret)'))"))
                try connection.run("INSERT INTO u VALUES (?)", secret)
            },
        ]
        for error in errors {
            let error = try #require(error)
            #expect(!"\(error)".contains(secret))
        }
        #expect(errors.last == .constraint(.check))
    }

    private func failure(_ job: @escaping Database.Job<Void>) async -> DatabaseError? {
        do throws(DatabaseError) {
            try await database.write(job)
            return nil
        } catch {
            return error
        }
    }
}

private let manyLiterals: [SQL] = [
    "SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 5", "SELECT 6", "SELECT 7", "SELECT 8",
    "SELECT 9", "SELECT 10", "SELECT 11", "SELECT 12", "SELECT 13", "SELECT 14", "SELECT 15", "SELECT 16",
    "SELECT 17", "SELECT 18", "SELECT 19", "SELECT 20", "SELECT 21", "SELECT 22", "SELECT 23", "SELECT 24",
    "SELECT 25", "SELECT 26", "SELECT 27", "SELECT 28", "SELECT 29", "SELECT 30", "SELECT 31", "SELECT 32",
    "SELECT 33", "SELECT 34", "SELECT 35", "SELECT 36", "SELECT 37", "SELECT 38", "SELECT 39", "SELECT 40",
]
