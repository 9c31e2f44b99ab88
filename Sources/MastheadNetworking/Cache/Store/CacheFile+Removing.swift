import MastheadSQLite

extension CacheFile {
    /// Takes all entries of a key out.
    func removeEntries(of key: EntryKey, _ growth: inout Int, _ connection: Connection) throws(DatabaseError) {
        let found = try connection.all(
            "SELECT id, size + length(head) + length(key) + 256 FROM entry WHERE key = ?",
            try index(key)
        ) {
            ($0[0], $0[1]) as (Int64, Int)
        }
        for (id, size) in found { try remove(id, size: size, &growth, connection) }
    }

    /// Takes an entry out.
    func remove(_ id: Int64, size: Int, _ growth: inout Int, _ connection: Connection) throws(DatabaseError) {
        try connection.run("DELETE FROM entry WHERE id = ?", id)
        try connection.run(
            "DELETE FROM body WHERE id >= ? AND id < ?",
            id << Self.pieceBits,
            (id + 1) << Self.pieceBits
        )
        try connection.run("DELETE FROM tag WHERE entry = ?", id)
        growth -= size
    }

    /// Lets go of what was used least recently, until a tenth of the room is free again.
    func evict(_ connection: Connection) throws(DatabaseError) {
        guard var bytes = try connection.value("SELECT bytes FROM total", as: Int.self), bytes > limit else { return }
        var growth = 0
        while bytes + growth > limit / 10 * 9 {
            let oldest = try connection.all(
                "SELECT id, size + length(head) + length(key) + 256 FROM entry ORDER BY used LIMIT 64"
            ) {
                ($0[0], $0[1]) as (Int64, Int)
            }
            guard !oldest.isEmpty else { break }
            for (id, size) in oldest where bytes + growth > limit / 10 * 9 {
                try remove(id, size: size, &growth, connection)
            }
        }
        bytes += growth
        try connection.run("UPDATE total SET bytes = ?", max(0, bytes))
    }
}
