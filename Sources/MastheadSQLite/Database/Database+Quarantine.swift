import MastheadLock

extension Database {
    /// Moves a damaged file aside, with its log, and opens a fresh one in its place.
    ///
    /// Only after `.damaged` was thrown; in no other trouble is the file given up. Nothing is wiped: what was moved can be
    /// opened and searched for what is left. See ``Quarantine/removed`` for how many are kept.
    ///
    /// ```swift
    /// do throws(DatabaseError) {
    ///     return try await database.read(body)
    /// } catch .damaged {
    ///     report(try await database.quarantine())
    /// }
    /// ```
    ///
    /// - Parameter limit: How many damaged files are kept, at least 2: the first, and the last ones.
    /// - Returns: Where the file is now; `nil` if another process had replaced it already.
    /// - Throws: What moving it or opening the fresh one failed of; nothing is lost then.
    @discardableResult
    package func quarantine(keeping limit: Int = 3) async throws(DatabaseError) -> Quarantine? {
        let moved = Lock<Quarantine?>(nil)
        try await alone { [place] writer throws(DatabaseError) in
            guard let damage = place.damage.damage else { throw .misuse("no damage was seen") }
            writer.connection = nil
            writer.readers.renew()
            let quarantine = try damage.identity.flatMap { (identity) throws(DatabaseError) in
                try place.file.moveAside(identity, limit: limit)
            }
            place.damage.clear()
            moved.withLock { $0 = quarantine }
            _ = try writer.open()
        }
        return moved.withLock { $0 }
    }
}
