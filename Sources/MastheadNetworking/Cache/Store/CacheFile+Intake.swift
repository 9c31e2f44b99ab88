import FoundationEssentials
import MastheadSQLite

// Payloads that come piece by piece. Their entry has fewer than no pieces until it is whole, so that nobody finds it.
extension CacheFile {
    /// How long a payload may take to come, in seconds; what is older was left by a process that ended before.
    private static let longest: TimeInterval = 86400

    /// Begins an entry.
    ///
    /// - Returns: Its row.
    func begin(_ entry: NewEntry, _ connection: Connection) throws(DatabaseError) -> Int64 {
        let oldest = entry.record.stored.timeIntervalSinceReferenceDate - Self.longest
        let left = try connection.all("SELECT id FROM entry WHERE pieces < 0 AND stored < ?", oldest) { $0[0] as Int64 }
        for id in left { try abandon(id, connection) }
        try connection.run(
            """
            INSERT INTO entry (key, variant, version, revision, stored, size, pieces, used, head)
            VALUES (?, ?, 0, ?, ?, 0, -1, 0, x'')
            """,
            try index(entry.key),
            // Unlike every other: several may come at once.
            withUnsafeBytes(of: entry.record.revision.bigEndian) { [0] + Array($0) },
            entry.record.revision,
            entry.record.stored.timeIntervalSinceReferenceDate
        )
        return connection.lastInsertedRowID
    }

    /// Puts a piece to an entry.
    func append(
        _ piece: Data,
        _ number: Int,
        to id: Int64,
        _ entry: NewEntry,
        _ connection: Connection
    ) throws(DatabaseError) {
        try putBody(piece, number, of: id, entry.record.revision, key: index(entry.key), connection)
    }

    /// Lets an entry that is whole take the place of the one of its variant.
    func finish(
        _ id: Int64,
        _ entry: NewEntry,
        _ record: CacheRecord,
        _ connection: Connection
    ) throws(DatabaseError) {
        var growth = record.size
        let place = EntryPlace(key: entry.key, variant: record.variant)
        if let (old, size) = try find(place, connection) { try remove(old, size: size, &growth, connection) }
        let used = (try connection.value("SELECT used FROM total", as: Int.self) ?? 0) + 1
        try connection.run(
            "UPDATE entry SET variant = ?, type = ?, size = ?, pieces = ?, used = ?, head = ? WHERE id = ?",
            record.variant,
            try entry.type.map { (type) throws(DatabaseError) in try index(TypeNames.name(of: type)) },
            record.size,
            record.pieces,
            used,
            try sealHead(record, key: index(entry.key)),
            id
        )
        try putTags(entry.tags, of: id, connection)
        try connection.run("UPDATE total SET used = ?, bytes = bytes + ?", used, growth)
        try evict(connection)
    }

    /// Takes an entry out that did not become whole.
    func abandon(_ id: Int64, _ connection: Connection) throws(DatabaseError) {
        guard try connection.first("SELECT 1 FROM entry WHERE id = ? AND pieces < 0", id, read: { _ in true }) != nil
        else { return }
        var nothing = 0
        try remove(id, size: 0, &nothing, connection)
    }
}
