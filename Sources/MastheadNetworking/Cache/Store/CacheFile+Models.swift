import FoundationEssentials
import MastheadLock
import MastheadSQLite

extension CacheFile {
    /// Keeps models, each in the place of the one of its key, while they are being made into bytes.
    ///
    /// - Parameters:
    ///   - models: The models.
    ///   - failure: Is given what kept one of them from becoming bytes; what is thrown then undoes the others.
    ///   - connection: What writes.
    /// - Returns: By how many bytes the file grows.
    /// - Throws: What kept them from being written.
    func put(
        _ models: NewModels,
        _ failure: Lock<CacheError?>,
        _ connection: Connection
    ) throws(DatabaseError) -> Int {
        whenInTransaction?(true)
        defer { whenInTransaction?(false) }
        let mill = ModelMill(count: models.count, make: models.make)
        defer { mill.stop() }
        let type = try index(TypeNames.bytes(of: models.type))
        var (used, bytes, growth) = (0, 0, 0)
        try connection.each("SELECT used, bytes FROM total", binding: { _ in }) { row in
            (used, bytes) = (Int(truncatingIfNeeded: row.integer(0)), Int(truncatingIfNeeded: row.integer(1)))
            return false
        }
        while let batch = try next(of: mill, failure) {
            try put(batch, of: models, type, &used, &growth, connection)
            mill.giveBack(batch)
        }
        try connection.run("UPDATE total SET used = ?, bytes = bytes + ?") {
            $0.append(integer: Int64(used))
            $0.append(integer: Int64(growth))
        }
        if growth > 0, bytes + growth > limit { try evict(connection) }
        return growth
    }

    private func next(of mill: ModelMill, _ failure: Lock<CacheError?>) throws(DatabaseError) -> ModelBatch? {
        do throws(CacheError) {
            return try mill.next()
        } catch {
            failure.withLock { $0 = error }
            throw .cancelled
        }
    }

    private func put(
        _ batch: borrowing ModelBatch,
        of models: NewModels,
        _ type: [UInt8],
        _ used: inout Int,
        _ growth: inout Int,
        _ connection: Connection
    ) throws(DatabaseError) {
        let rows = batch.models
        let outcome: Result<Void, DatabaseError> = batch.bytes.withUnsafeBytes { bytes in
            type.withUnsafeBytes { type in
                Result { () throws(DatabaseError) in
                    for row in rows {
                        used += 1
                        let (key, body) = (bytes[rebased: row.key], bytes[rebased: row.body])
                        try put(row.revision, key, body, of: models, type, used: used, &growth, connection)
                    }
                }
            }
        }
        try outcome.get()
    }

    private func put(
        _ revision: Int64,
        _ key: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer,
        of models: NewModels,
        _ type: UnsafeRawBufferPointer,
        used: Int,
        _ growth: inout Int,
        _ connection: Connection
    ) throws(DatabaseError) {
        var old: (id: Int64, size: Int)?
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        try connection.each(
            "SELECT id, size + length(head) + length(key) + 256 FROM entry WHERE key = ? AND variant = ?",
            binding: {
                $0.append(borrowing: key)
                $0.append(borrowing: none)
            },
            read: { row in
                old = (row.integer(0), Int(truncatingIfNeeded: row.integer(1)))
                return false
            }
        )
        if let old { try remove(old.id, size: old.size, &growth, connection) }
        let pieces = Self.pieces(of: body.count)
        try connection.run(
            """
            INSERT INTO entry (id, key, variant, type, version, revision, stored, expires, size, pieces, used, head)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ) {
            if let old { $0.append(integer: old.id) } else { $0.appendNull() }
            $0.append(borrowing: key)
            $0.append(borrowing: none)
            $0.append(borrowing: type)
            $0.append(integer: Int64(models.version))
            $0.append(integer: revision)
            $0.append(real: models.stored.timeIntervalSinceReferenceDate)
            if let expires = models.expires {
                $0.append(real: expires.timeIntervalSinceReferenceDate)
            } else {
                $0.appendNull()
            }
            $0.append(integer: Int64(body.count))
            $0.append(integer: Int64(pieces))
            $0.append(integer: Int64(used))
            $0.append(borrowing: none)
        }
        let id = old?.id ?? connection.lastInsertedRowID
        for number in 0..<max(1, pieces) {
            let start = number * Self.pieceSize
            let piece = UnsafeRawBufferPointer(rebasing: body[start..<min(start + Self.pieceSize, body.count)])
            try putBody(piece, number, of: id, revision, key, connection)
        }
        if !models.tags.isEmpty { try putTags(models.tags, of: id, connection) }
        growth += body.count + key.count + 256
    }

    private func putBody(
        _ piece: UnsafeRawBufferPointer,
        _ number: Int,
        of id: Int64,
        _ revision: Int64,
        _ key: UnsafeRawBufferPointer,
        _ connection: Connection
    ) throws(DatabaseError) {
        guard !isSealed else {
            let piece = Data(piece)
            return try putBody(piece, number, of: id, revision, key: [UInt8](key), connection)
        }
        try connection.run("INSERT INTO body (id, bytes) VALUES (?, ?)") {
            $0.append(integer: id << Self.pieceBits + Int64(number))
            $0.append(borrowing: piece)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// A part of the bytes, counted from its own begin.
    fileprivate subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}
