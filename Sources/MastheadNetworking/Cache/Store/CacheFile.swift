import FoundationEssentials
import MastheadSQLite

/// How entries lie in a partition's file: what is written into its tables, and read from them.
///
/// A value without state of its own; each method runs in a job on a connection.
struct CacheFile: Sendable {
    /// How many bytes of a payload lie in one row; a longer one goes on in further rows.
    static let pieceSize = 256 << 10

    /// How many rows of payload an entry may have: what its key leaves room for.
    static let pieceBits: Int64 = 20

    /// What seals the entries; `nil` keeps them in the clear.
    let sealer: CacheSealer?

    /// Whether there is one: a question that is asked often, and that must not copy it.
    let isSealed: Bool

    /// How many bytes of payload there may be.
    let limit: Int

    /// Told of a sealed piece that was changed: it counts as not there.
    let whenUnreadable: @Sendable () -> Void

    /// Told when a change begins, and when its statements are done.
    let whenInTransaction: (@Sendable (_ isOpen: Bool) -> Void)?

    init(
        sealer: CacheSealer?,
        limit: Int,
        whenUnreadable: @escaping @Sendable () -> Void,
        whenInTransaction: (@Sendable (_ isOpen: Bool) -> Void)?
    ) {
        self.sealer = sealer
        isSealed = sealer != nil
        self.limit = limit
        self.whenUnreadable = whenUnreadable
        self.whenInTransaction = whenInTransaction
    }

    /// Makes a change.
    ///
    /// - Returns: Where each payload that was put stands, by its revision.
    func make(_ change: CacheChange, _ connection: Connection) throws(DatabaseError) -> [Int64: Int64] {
        whenInTransaction?(true)
        defer { whenInTransaction?(false) }
        var growth = 0
        var rows: [Int64: Int64] = [:]
        switch change {
        case .put(let entries):
            rows.reserveCapacity(entries.count)
            try put(entries, &rows, connection)
        case .freshen(let entries):
            for entry in entries { try freshen(entry, &growth, connection) }
        case .tag(let key, let revision, let tags):
            try tag(key, revision, with: tags, connection)
        case .remove(let key):
            try removeEntries(of: key, &growth, connection)
        case .removeAll(let keys):
            for key in keys { try removeEntries(of: key, &growth, connection) }
        case .removeExactly(let places):
            for place in places {
                guard let (id, size) = try find(place, connection) else { continue }
                try remove(id, size: size, &growth, connection)
            }
        case .removeTagged(let tag):
            let found = try connection.all(
                "SELECT id, size + length(head) + length(key) + 256 FROM tag JOIN entry ON id = entry WHERE tag = ?",
                try index(tag)
            ) { ($0[0], $0[1]) as (Int64, Int) }
            for (id, size) in found { try remove(id, size: size, &growth, connection) }
        case .clear:
            try connection.run("DELETE FROM entry")
            try connection.run("DELETE FROM body")
            try connection.run("DELETE FROM tag")
            try connection.run("UPDATE total SET bytes = 0")
        }
        if growth != 0 {
            try connection.run("UPDATE total SET bytes = bytes + ?", growth)
            if growth > 0 { try evict(connection) }
        }
        return rows
    }

    /// Tells the file that entries were used, if it is half full at least.
    ///
    /// Before that nothing has to make room for long, and each use told costs about as much writing as keeping anew: an
    /// entry counts as used when it was kept.
    ///
    /// - Parameters:
    ///   - rows: Which entries were used, in that order.
    ///   - connection: What writes.
    /// - Returns: How many bytes may come before it is half full; 0 if it is.
    /// - Throws: What kept it from being told.
    func touch(_ rows: [Int64], _ connection: Connection) throws(DatabaseError) -> Int {
        let bytes = try connection.value("SELECT bytes FROM total", as: Int.self) ?? 0
        guard bytes > limit / 2 else { return limit / 2 - bytes }
        var used = try connection.value("SELECT used FROM total", as: Int.self) ?? 0
        for row in rows {
            used += 1
            try connection.run("UPDATE entry SET used = ? WHERE id = ?", used, row)
        }
        try connection.run("UPDATE total SET used = ?", used)
        return 0
    }

    /// Keeps entries, each in the place of the one of its key and variant.
    private func put(
        _ entries: [NewEntry],
        _ rows: inout [Int64: Int64],
        _ connection: Connection
    ) throws(DatabaseError) {
        var (used, bytes, growth) = (0, 0, 0)
        try connection.each("SELECT used, bytes FROM total", binding: { _ in }) { row in
            (used, bytes) = (Int(truncatingIfNeeded: row.integer(0)), Int(truncatingIfNeeded: row.integer(1)))
            return false
        }
        for entry in entries {
            used += 1
            rows[entry.record.revision] = try put(entry, used: used, &growth, connection)
        }
        try connection.run("UPDATE total SET used = ?, bytes = bytes + ?") {
            $0.append(integer: Int64(used))
            $0.append(integer: Int64(growth))
        }
        if growth > 0, bytes + growth > limit { try evict(connection) }
    }

    private func put(
        _ entry: NewEntry,
        used: Int,
        _ growth: inout Int,
        _ connection: Connection
    ) throws(DatabaseError) -> Int64 {
        let record = entry.record
        let key = try withBytes(of: entry.key) { [UInt8]($0) }
        let variant = try index(variant: record.variant)
        let pieces = Self.pieces(of: entry.body.count)
        let head = try sealHead(record, key: key)
        let type = try entry.type.map { (type) throws(DatabaseError) in try index(TypeNames.bytes(of: type)) }
        var old: (id: Int64, size: Int)?
        try connection.each(
            "SELECT id, size + length(head) + length(key) + 256 FROM entry WHERE key = ? AND variant = ?",
            binding: {
                $0.append(key)
                $0.append(variant)
            },
            read: { row in
                old = (row.integer(0), Int(truncatingIfNeeded: row.integer(1)))
                return false
            }
        )
        let inherited = entry.answer == nil ? [] : try tags(of: entry, replacing: old?.id, connection)
        if let old { try remove(old.id, size: old.size, &growth, connection) }
        try connection.run(
            """
            INSERT INTO entry (id, key, variant, type, version, revision, stored, expires, size, pieces, used, head)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ) {
            if let old { $0.append(integer: old.id) } else { $0.appendNull() }
            $0.append(key)
            $0.append(variant)
            if let type { $0.append(type) } else { $0.appendNull() }
            $0.append(integer: Int64(record.version))
            $0.append(integer: record.revision)
            $0.append(real: record.stored.timeIntervalSinceReferenceDate)
            if let expires = record.expires {
                $0.append(real: expires.timeIntervalSinceReferenceDate)
            } else {
                $0.appendNull()
            }
            $0.append(integer: Int64(entry.body.count))
            $0.append(integer: Int64(pieces))
            $0.append(integer: Int64(used))
            $0.append(head)
        }
        let id = old?.id ?? connection.lastInsertedRowID
        for number in 0..<max(1, pieces) {
            let start = entry.body.startIndex + number * Self.pieceSize
            let piece = entry.body[start..<min(start + Self.pieceSize, entry.body.endIndex)]
            try putBody(piece, number, of: id, record.revision, key: key, connection)
        }
        try putTags(entry.tags, of: id, connection)
        try putTags(inherited, of: id, connection)
        growth += Self.cost(size: entry.body.count, head: head, key: key)
        if !variant.isEmpty { try limitVariants(of: key, &growth, connection) }
        return id
    }

    /// How many rows a payload takes beyond the first; 0 if it lies in one.
    static func pieces(of size: Int) -> Int {
        size <= pieceSize ? 0 : (size + pieceSize - 1) / pieceSize
    }

    /// How many bytes an entry counts for.
    static func cost(size: Int, head: Data, key: [UInt8]) -> Int { size + head.count + key.count + 256 }

    /// How many answers one request may have, whatever they vary by.
    private static let variantLimit = 16

    private func limitVariants(of key: [UInt8], _ growth: inout Int, _ connection: Connection) throws(DatabaseError) {
        let spare = try connection.all(
            """
            SELECT id, size + length(head) + length(key) + 256 FROM entry
            WHERE key = ? AND pieces >= 0 ORDER BY used DESC LIMIT -1 OFFSET ?
            """,
            key,
            Self.variantLimit
        ) { ($0[0], $0[1]) as (Int64, Int) }
        for (id, size) in spare { try remove(id, size: size, &growth, connection) }
    }

    /// Writes one piece of a payload.
    func putBody(
        _ piece: Data,
        _ number: Int,
        of id: Int64,
        _ revision: Int64,
        key: [UInt8],
        _ connection: Connection
    ) throws(DatabaseError) {
        let bytes = try seal(piece, place(key, revision, number))
        // Where it is: SQLite copies it into its pages, and once is enough.
        let isDone: Result<Void, DatabaseError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(DatabaseError) in
                try connection.run("INSERT INTO body (id, bytes) VALUES (?, ?)") {
                    $0.append(integer: id << Self.pieceBits + Int64(number))
                    $0.append(borrowing: bytes)
                }
            }
        }
        try isDone.get()
    }

    /// Writes the tags of an entry.
    func putTags(_ tags: Set<String>, of id: Int64, _ connection: Connection) throws(DatabaseError) {
        for tag in tags {
            try connection.run("INSERT OR IGNORE INTO tag (tag, entry) VALUES (?, ?)", try index(tag), id)
        }
    }

    private func freshen(
        _ entry: (place: EntryPlace, record: CacheRecord),
        _ growth: inout Int,
        _ connection: Connection
    ) throws(DatabaseError) {
        guard let (id, oldSize) = try find(entry.place, connection) else { return }
        if entry.record.variant != entry.place.variant {
            // It answers other requests now, maybe those that another entry has answered so far.
            let other = EntryPlace(key: entry.place.key, variant: entry.record.variant)
            if let (id, size) = try find(other, connection) { try remove(id, size: size, &growth, connection) }
        }
        let key = try index(entry.place.key)
        let head = try sealHead(entry.record, key: key)
        try connection.run(
            "UPDATE entry SET variant = ?, head = ? WHERE id = ?",
            try index(variant: entry.record.variant),
            head,
            id
        )
        growth += Self.cost(size: entry.record.size, head: head, key: key) - oldSize
    }

    /// Finds the row of an entry, and how big its payload is.
    func find(_ place: EntryPlace, _ connection: Connection) throws(DatabaseError) -> (Int64, Int)? {
        try connection.first(
            "SELECT id, size + length(head) + length(key) + 256 FROM entry WHERE key = ? AND variant = ? AND (?3 IS NULL OR revision = ?3)",
            try index(place.key),
            try index(variant: place.variant),
            place.revision
        ) { ($0[0], $0[1]) }
    }
}
