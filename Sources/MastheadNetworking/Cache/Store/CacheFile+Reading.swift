import FoundationEssentials
import MastheadSQLite

extension CacheFile {
    /// Reads the entries of a key, each with its payload if that lies in one row.
    func rows(of key: EntryKey, _ connection: Connection) throws(DatabaseError) -> [StoredRow] {
        var rows: [StoredRow] = []
        try each(key, connection) { (row, index) throws(DatabaseError) in
            if let row = try self.row(row, index) { rows.append(row) }
            // A model has one.
            return key.type == nil
        }
        return rows
    }

    /// Reads the entry of a model's key, with its payload if that lies in one row; `nil` if there is none.
    func row(of key: EntryKey, _ connection: Connection) throws(DatabaseError) -> StoredRow? {
        var found: StoredRow?
        try each(key, connection) { (row, index) throws(DatabaseError) in
            found = try self.row(row, index)
            return false
        }
        return found
    }

    /// Reads the payload of a model and no more; `nil` if there is none, or none that lies in the clear in one row.
    func payload(of key: EntryKey, _ connection: Connection) throws(DatabaseError) -> (row: Int64, body: Data)? {
        guard !isSealed, key.type != nil else { return nil }
        var found: (row: Int64, body: Data)?
        try each(key, connection) { row, _ in
            if !row.isNull(9) { found = (row.integer(0), row.data(9)) }
            return false
        }
        return found
    }

    /// Reads the entries of a key.
    private func each(
        _ key: EntryKey,
        _ connection: Connection,
        read: (_ row: borrowing Row, _ index: [UInt8]) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        let outcome: Result<Void, DatabaseError> = try withBytes(of: key) { bytes in
            Result { () throws(DatabaseError) in
                let index = keyToOpen { [UInt8](bytes) }
                try connection.each(
                    """
                    SELECT entry.id, revision, variant, version, stored, expires, size, pieces, head, bytes
                    FROM entry LEFT JOIN body ON body.id = entry.id << 20 AND pieces = 0 WHERE key = ? AND pieces >= 0
                    """,
                    binding: { $0.append(borrowing: bytes) },
                    read: { (row) throws(DatabaseError) in try read(row, index) }
                )
            }
        }
        try outcome.get()
    }

    /// What stands for a key in the file, for who opens what is sealed; empty where nothing is.
    private func keyToOpen(_ key: () -> [UInt8]) -> [UInt8] { isSealed ? key() : [] }

    /// Gives the same as ``index(_:)``; for a model in the clear, put together on the stack from parts that are there.
    func withBytes<Result>(
        of key: EntryKey,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(DatabaseError) -> Result {
        guard !isSealed, let type = key.type else { return try index(key).withUnsafeBytes(body) }
        let prefix = TypeNames.prefix(of: type)
        let text = key.text.utf8
        return withUnsafeTemporaryAllocation(byteCount: prefix.count + text.count, alignment: 1) { room in
            room.copyBytes(from: prefix)
            UnsafeMutableRawBufferPointer(rebasing: room[prefix.count...]).copyBytes(from: text)
            return body(UnsafeRawBufferPointer(room))
        }
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
            ) { (row) throws(DatabaseError) in try self.row(row, keyToOpen { row[10] }) }.compactMap { $0 }
        }
        return try connection.all(
            """
            SELECT entry.id, revision, variant, version, stored, expires, size, pieces, head, bytes, key
            FROM tag JOIN entry ON entry.id = tag.entry LEFT JOIN body ON body.id = entry.id << 20 AND pieces = 0
            WHERE tag = ? AND type = ? AND pieces >= 0 ORDER BY entry.id
            """,
            try index(tag),
            name
        ) { (row) throws(DatabaseError) in try self.row(row, keyToOpen { row[10] }) }.compactMap { $0 }
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
        let revision = row.integer(1)
        var body = row.isNull(9) ? nil : row.data(9)
        var head = row.data(8)
        if isSealed {
            do throws(DatabaseError) {
                if !head.isEmpty { head = try open(head, place(key, revision, -1)) }
                if let sealed = body { body = try open(sealed, place(key, revision, 0)) }
            } catch {
                whenUnreadable()
                return nil
            }
        }
        let record = CacheRecord(
            row: row.integer(0),
            revision: revision,
            variant: row.array(2),
            version: Int(truncatingIfNeeded: row.integer(3)),
            stored: Date(timeIntervalSinceReferenceDate: row.real(4)),
            expires: row.isNull(5) ? nil : Date(timeIntervalSinceReferenceDate: row.real(5)),
            size: Int(truncatingIfNeeded: row.integer(6)),
            pieces: Int(truncatingIfNeeded: row.integer(7)),
            head: head
        )
        return StoredRow(record: record, key: key, body: body)
    }
}
