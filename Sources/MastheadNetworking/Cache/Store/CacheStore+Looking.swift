import FoundationEssentials
import MastheadSQLite

extension CacheStore {
    /// The entries of a key with their payloads, if they can be had at once; `nil` if they must be waited for.
    ///
    /// What goes wrong is not reported: who then asks ``rows(of:areWhole:)`` finds it again.
    func rowsNow(of key: EntryKey) -> [StoredRow]? {
        let file = file
        let found = try? database.lookNow { (connection) throws(DatabaseError) in try file.rows(of: key, connection) }
        guard let rows = found, rows.allSatisfy({ $0.body != nil }) else { return nil }
        return rows
    }

    /// The payload of a model's key with its row, if it can be had at once; `nil` if it must be looked for otherwise.
    func payloadNow(of key: EntryKey) -> (row: Int64, body: Data)? {
        let file = file
        return try? database.lookNow { (connection) throws(DatabaseError) in
            try file.payload(of: key, connection)
        } ?? nil
    }

    /// The only entry of a model's key, whole; `nil` if there is none.
    func row(of key: EntryKey) async -> StoredRow? {
        // Most often without a suspension, and what that costs.
        if let rows = rowsNow(of: key) { return rows.first }
        return await rows(of: key, areWhole: true).first
    }
}
