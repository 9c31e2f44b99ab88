import FoundationEssentials
import MastheadSQLite

extension CacheStore {
    /// The entries of a key; none where nothing can be read, which is reported.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - areWhole: Whether long payloads are read too.
    /// - Returns: The entries, whichever they vary by.
    func rows(of key: EntryKey, areWhole: Bool = false) async -> [StoredRow] {
        let rows = await look { [file] (connection) throws(DatabaseError) in try file.rows(of: key, connection) } ?? []
        guard areWhole, rows.contains(where: { $0.body == nil }) else { return rows }
        return await readAll { (file, connection) throws(DatabaseError) in
            try file.rows(of: key, connection).map { (row) throws(DatabaseError) in try file.whole(row, connection) }
        } ?? []
    }

    /// One piece of an entry's payload; `nil` if it is not there any more.
    func piece(_ number: Int, of record: CacheRecord, key: EntryKey) async -> Data? {
        await look { [file] (connection) throws(DatabaseError) in
            try file.piece(number, of: record, key: file.index(key), connection)
        } ?? nil
    }

    /// Reads what one statement finds by an index: at once if there is a connection to read with.
    private func look<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(DatabaseError) -> Value
    ) async -> Value? {
        do throws(DatabaseError) {
            // A thread of its own takes longer to wake than such a look takes.
            if let value = try database.lookNow(body) { return value }
            return try await database.read(body)
        } catch {
            await take(error, asReading: true)
            return nil
        }
    }

    /// Reads what may be long, on a thread of the database's own; what was changed before is seen.
    func readAll<Value: Sendable>(
        _ body: @escaping @Sendable (CacheFile, Connection) throws(DatabaseError) -> Value
    ) async -> Value? {
        do throws(DatabaseError) {
            return try await database.read { [file] (connection) throws(DatabaseError) in try body(file, connection) }
        } catch {
            await take(error, asReading: true)
            return nil
        }
    }
}
