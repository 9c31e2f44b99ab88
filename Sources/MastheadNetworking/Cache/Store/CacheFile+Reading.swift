import FoundationEssentials
import MastheadSQLite

extension CacheFile {
    /// Reads the entries of a key, each with its payload if that lies in one row.
    func rows(of key: EntryKey, _ connection: Connection) throws(DatabaseError) -> [StoredRow] {
        let index = try index(key)
        return try connection.all(
            """
            SELECT entry.id, revision, variant, version, stored, expires, size, pieces, head, bytes
            FROM entry LEFT JOIN body ON body.id = entry.id << 20 AND pieces = 0 WHERE key = ? AND pieces >= 0
            """,
            index
        ) { (row) throws(DatabaseError) in try self.row(row, index) }.compactMap { $0 }
    }

    /// Reads the entries that are of a type and have a tag, if one is given, the oldest first.
    func rows(tagged tag: String?, type: Any.Type, _ connection: Connection) throws(DatabaseError) -> [StoredRow] {
        let name = try index(TypeNames.name(of: type))
        guard let tag else {
            return try connection.all(
                """
                SELECT entry.id, revision, variant, version, stored, expires, size, pieces, head, bytes, key
                FROM entry LEFT JOIN body ON body.id = entry.id << 20 AND pieces = 0
                WHERE type = ? AND pieces >= 0 ORDER BY entry.id
                """,
                name
            ) { (row) throws(DatabaseError) in try self.row(row, row[10]) }.compactMap { $0 }
        }
        return try connection.all(
            """
            SELECT entry.id, revision, variant, version, stored, expires, size, pieces, head, bytes, key
            FROM tag JOIN entry ON entry.id = tag.entry LEFT JOIN body ON body.id = entry.id << 20 AND pieces = 0
            WHERE tag = ? AND type = ? AND pieces >= 0 ORDER BY entry.id
            """,
            try index(tag),
            name
        ) { (row) throws(DatabaseError) in try self.row(row, row[10]) }.compactMap { $0 }
    }

    /// Reads the numbers of the payloads that have a tag, or are of a type: what tells one state from another.
    func revisions(tagged tag: String?, type: Any.Type, _ connection: Connection) throws(DatabaseError) -> [Int64] {
        let name = try index(TypeNames.name(of: type))
        guard let tag else {
            return try connection.all(
                "SELECT revision FROM entry WHERE type = ? AND pieces >= 0 ORDER BY id",
                name
            ) { $0[0] }
        }
        return try connection.all(
            """
            SELECT revision FROM tag JOIN entry ON entry.id = tag.entry
            WHERE tag = ? AND type = ? AND pieces >= 0 ORDER BY entry.id
            """,
            try index(tag),
            name
        ) { $0[0] }
    }

    /// Reads one piece of an entry's payload; `nil` if it is not there any more.
    func piece(
        _ number: Int,
        of record: CacheRecord,
        key: [UInt8],
        _ connection: Connection
    ) throws(DatabaseError) -> Data? {
        guard let id = record.row else { return nil }
        let bytes: Data? = try connection.value(
            "SELECT bytes FROM body JOIN entry ON entry.id = body.id >> 20 WHERE body.id = ? AND revision = ?",
            id << Self.pieceBits + Int64(number),
            record.revision
        )
        return try bytes.map { (bytes) throws(DatabaseError) in
            try open(bytes, place(key, record.revision, number))
        }
    }

    /// Puts a payload together that lies in several pieces.
    ///
    /// - Returns: The same row with its payload; as it was if a piece is missing.
    func whole(_ row: StoredRow, _ connection: Connection) throws(DatabaseError) -> StoredRow {
        guard row.body == nil else { return row }
        var body = Data()
        for number in 0..<row.record.pieces {
            guard let piece = try piece(number, of: row.record, key: row.key, connection) else { return row }
            body += piece
        }
        return StoredRow(record: row.record, key: row.key, body: body)
    }

    /// Takes a row; `nil` for one of which something sealed was changed, which is told.
    private func row(_ row: borrowing Row, _ key: [UInt8]) throws(DatabaseError) -> StoredRow? {
        let expires: Double? = row[5]
        let revision: Int64 = row[1]
        var body: Data? = row[9]
        var head: Data = row[8]
        do throws(DatabaseError) {
            if !head.isEmpty { head = try open(head, place(key, revision, -1)) }
            if let sealed = body { body = try open(sealed, place(key, revision, 0)) }
        } catch {
            whenUnreadable()
            return nil
        }
        let record = CacheRecord(
            row: row[0],
            revision: revision,
            variant: row[2],
            version: row[3],
            stored: Date(timeIntervalSinceReferenceDate: row[4]),
            expires: expires.map { Date(timeIntervalSinceReferenceDate: $0) },
            size: row[6],
            pieces: row[7],
            head: head
        )
        return StoredRow(record: record, key: key, body: body)
    }
}
