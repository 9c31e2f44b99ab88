import FoundationEssentials
import MastheadSQLite

extension CacheStore {
    /// The entry of a model's key with its payload, or that there is none, if that can be had at once; `nil` if it must be
    /// waited for.
    ///
    /// What goes wrong is not reported: who then asks ``rows(of:areWhole:)`` finds it again.
    private func rowNow(of key: EntryKey) -> StoredRow?? {
        let file = file
        let found = try? database.lookNow { (connection) throws(DatabaseError) in try file.row(of: key, connection) }
        guard let row = found, row == nil || row?.body != nil else { return nil }
        return row
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
        if let row = rowNow(of: key) { return row }
        return await rows(of: key, areWhole: true).first
    }
}
