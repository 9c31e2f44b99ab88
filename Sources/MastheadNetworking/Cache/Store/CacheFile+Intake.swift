import FoundationEssentials
import MastheadSQLite

// Payloads that come piece by piece. Their entry has fewer than no pieces until it is whole, so that nobody finds it; what
// came so far counts, and goes like any other when it is what was written least recently.
extension CacheFile {
    /// Begins an entry.
    ///
    /// - Returns: Its row.
    func begin(_ entry: NewEntry, _ connection: Connection) throws(DatabaseError) -> Int64 {
        let key = try index(entry.key)
        try connection.run(
            """
            INSERT INTO entry (key, variant, version, revision, stored, size, pieces, used, head)
            VALUES (?, ?, 0, ?, ?, 0, -1, 0, x'')
            """,
            key,
            // Unlike every other: several may come at once.
            withUnsafeBytes(of: entry.record.revision.bigEndian) { [0] + Array($0) },
            entry.record.revision,
            entry.record.stored.timeIntervalSinceReferenceDate
        )
        let id = connection.lastInsertedRowID
        try count(Self.cost(size: 0, head: Data(), key: key), of: id, connection)
        return id
    }

    /// Counts what came for an entry, which was used last now, and makes room for it.
    private func count(_ growth: Int, of id: Int64, _ connection: Connection) throws(DatabaseError) {
        let used = (try connection.value("SELECT used FROM total", as: Int.self) ?? 0) + 1
        try connection.run("UPDATE entry SET used = ? WHERE id = ?", used, id)
        try connection.run("UPDATE total SET used = ?, bytes = bytes + ?", used, growth)
        try evict(connection)
    }

    /// Puts a piece to an entry.
    func append(
        _ piece: Data,
        _ number: Int,
        to id: Int64,
        _ entry: NewEntry,
        _ connection: Connection
    ) throws(DatabaseError) {
        try checkComing(id, entry, connection)
        try putBody(piece, number, of: id, entry.record.revision, key: index(entry.key), connection)
        try connection.run("UPDATE entry SET size = size + ? WHERE id = ?", piece.count, id)
        try count(piece.count, of: id, connection)
    }

    /// Lets an entry that is whole take the place of the one of its variant.
    func finish(
        _ id: Int64,
        _ entry: NewEntry,
        _ record: CacheRecord,
        _ connection: Connection
    ) throws(DatabaseError) {
        try checkComing(id, entry, connection)
        let stored = try connection.value(
            "SELECT count(*) FROM body WHERE id >= ? AND id < ?",
            id << Self.pieceBits,
            (id + 1) << Self.pieceBits,
            as: Int.self
        )
        guard stored == max(1, record.pieces) else { throw Self.interrupted }
        let head = try sealHead(record, key: index(entry.key))
        var growth = Self.cost(size: record.size, head: head, key: try index(entry.key))
        growth -= try cost(of: id, connection)
        let place = EntryPlace(key: entry.key, variant: record.variant)
        let old = try find(place, connection)
        let inherited = try tags(of: entry, replacing: old?.0, connection)
        if let (old, size) = old { try remove(old, size: size, &growth, connection) }
        let used = (try connection.value("SELECT used FROM total", as: Int.self) ?? 0) + 1
        try connection.run(
            "UPDATE entry SET variant = ?, type = ?, size = ?, pieces = ?, used = ?, head = ? WHERE id = ?",
            try index(variant: record.variant),
            try entry.type.map { (type) throws(DatabaseError) in try index(TypeNames.name(of: type)) },
            record.size,
            record.pieces,
            used,
            head,
            id
        )
        try putTags(entry.tags, of: id, connection)
        try putTags(inherited, of: id, connection)
        try connection.run("UPDATE total SET used = ?, bytes = bytes + ?", used, growth)
        try evict(connection)
    }

    /// What stands for a payload that cannot go on: its entry was removed, or a piece of it could not be written.
    static let interrupted = DatabaseError.failed(code: 0, message: "a payload was not kept to its end")

    /// Makes sure that the entry is still the one that is coming.
    private func checkComing(_ id: Int64, _ entry: NewEntry, _ connection: Connection) throws(DatabaseError) {
        let isComing = try connection.first(
            "SELECT 1 FROM entry WHERE id = ? AND revision = ? AND pieces < 0",
            id,
            entry.record.revision,
            read: { _ in true }
        )
        guard isComing != nil else { throw Self.interrupted }
    }

    /// Takes an entry out that did not become whole.
    ///
    /// - Parameters:
    ///   - id: Its row.
    ///   - revision: Which payload was to come; `nil` for any.
    ///   - connection: What writes.
    /// - Throws: What kept it from being taken out.
    func abandon(_ id: Int64, revision: Int64? = nil, _ connection: Connection) throws(DatabaseError) {
        let isComing = try connection.first(
            "SELECT 1 FROM entry WHERE id = ?1 AND pieces < 0 AND (?2 IS NULL OR revision = ?2)",
            id,
            revision,
            read: { _ in true }
        )
        guard isComing != nil else { return }
        var growth = 0
        try remove(id, size: cost(of: id, connection), &growth, connection)
        try connection.run("UPDATE total SET bytes = max(0, bytes + ?)", growth)
    }

    /// Takes all entries out that did not become whole: none of them is coming any more.
    func abandonAll(_ connection: Connection) throws(DatabaseError) {
        let left: [Int64] = try connection.all("SELECT id FROM entry WHERE pieces < 0") { $0[0] }
        for id in left { try abandon(id, connection) }
    }

    /// Whether there are entries that are not whole.
    func isAwaiting(_ connection: Connection) throws(DatabaseError) -> Bool {
        try connection.value("SELECT 1 FROM entry WHERE pieces < 0 LIMIT 1", as: Int.self) != nil
    }

    /// How many bytes an entry counts for.
    private func cost(of id: Int64, _ connection: Connection) throws(DatabaseError) -> Int {
        try connection.value("SELECT size + length(head) + length(key) + 256 FROM entry WHERE id = ?", id) ?? 0
    }
}
