import MastheadSQLite

extension CacheFile {
    /// The tags, as they stand in the file, of the answers that a new one takes the place of.
    ///
    /// - Parameters:
    ///   - entry: The new one.
    ///   - old: The row of the one of its place; `nil` if there is none.
    ///   - connection: What reads.
    /// - Returns: The tags.
    /// - Throws: What kept them from being read.
    func tags(of entry: NewEntry, replacing old: Int64?, _ connection: Connection) throws(DatabaseError) -> [[UInt8]] {
        var rows = old.map { [$0] } ?? []
        for place in entry.inherited { if let (id, _) = try find(place, connection) { rows.append(id) } }
        var tags: [[UInt8]] = []
        for row in rows { tags += try connection.all("SELECT tag FROM tag WHERE entry = ?", row) { $0[0] as [UInt8] } }
        return tags
    }

    /// Gives the entry of a key that has a payload tags besides those it has.
    func tag(
        _ key: EntryKey,
        _ revision: Int64,
        with tags: Set<String>,
        _ connection: Connection
    ) throws(DatabaseError) {
        let id: Int64? = try connection.value(
            "SELECT id FROM entry WHERE key = ? AND revision = ? AND pieces >= 0",
            try index(key),
            revision
        )
        if let id { try putTags(tags, of: id, connection) }
    }

    /// Writes tags of an entry that stand in the file already.
    func putTags(_ tags: [[UInt8]], of id: Int64, _ connection: Connection) throws(DatabaseError) {
        for tag in tags { try connection.run("INSERT OR IGNORE INTO tag (tag, entry) VALUES (?, ?)", tag, id) }
    }
}
