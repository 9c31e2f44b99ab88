import FoundationEssentials
import MastheadCrypto
import MastheadSQLite
import MastheadTransport

extension OutboxSealing {
    /// What an outbox's rows are to be sealed with.
    init(_ encryption: OutboxEncryption?, for repository: AbstractRepository) throws(RepositoryError) {
        guard let encryption else {
            self = .none
            return
        }
        let partition: SessionPartition
        switch encryption {
        case .secret(let secret): partition = SessionPartition(secret: secret)
        case .session:
            guard let session = repository.pipeline.session, session.grant != nil else { throw .withoutSession }
            guard let own = (session as? any KeyedSession)?.keptPartition ?? session.partition else {
                throw .invalidConfiguration(reason: "the session has no partition, whose key would seal the outbox")
            }
            partition = own
        }
        do throws(CryptoError) {
            // Rather nothing than something that anybody can read.
            try self.init(partition)
        } catch {
            throw .fileAccess(reason: "no key can be made to seal the outbox with")
        }
    }
}

extension OutboxDatabase {
    /// Opens a file, and sees to it that its rows are sealed as they are wanted.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - wanted: How they are to be.
    ///   - other: How they may be, besides in the clear.
    /// - Returns: The file; or ``RepositoryError/wrongKey`` if they are sealed otherwise.
    static func open(
        _ path: String,
        _ wanted: OutboxSealing,
        maybe other: OutboxSealing?
    ) async -> Result<OutboxDatabase, RepositoryError> {
        let file = OutboxDatabase(path: path, sealing: wanted)
        let isWanted = await file.read { connection throws(DatabaseError) in wanted.fits(try connection.proof()) }
        guard case .success(false) = isWanted else { return isWanted.map { _ in file } }
        let isDone = await file.write { connection throws(DatabaseError) in
            let proof = try connection.proof()
            let isEmpty = try connection.value("SELECT 1 FROM item LIMIT 1", as: Int.self) == nil
            let present = [wanted, OutboxSealing.none, other].compactMap(\.self).first { $0.fits(proof) }
            guard isEmpty || present != nil else { return false }
            if let present, !isEmpty { try connection.reseal(from: present, to: wanted) }
            try connection.run("UPDATE form SET proof = ?", try wanted.proof())
            return true
        }
        // Closed, the file has no log: there the rows stand as they were before.
        await file.database.close()
        return isDone.flatMap { $0 ? .success(OutboxDatabase(path: path, sealing: wanted)) : .failure(.wrongKey) }
    }

    /// Removes a file from which nobody is sending.
    static func remove(_ path: String) async -> Result<Void, RepositoryError> {
        guard await OwnThread.run({ FileManager.default.fileExists(atPath: path) }) else { return .success(()) }
        guard let lock = await OwnThread.run({ OutboxLock("\(path).lock") }) else {
            return .failure(.fileAccess(reason: "another outbox of the user is sending"))
        }
        defer { withExtendedLifetime(lock) {} }
        do throws(DatabaseError) {
            try await OutboxDatabase(path: path, sealing: .none).database.closeAndRemove()
            return .success(())
        } catch {
            return .failure(RepositoryError(error))
        }
    }
}

extension Connection {
    /// What the file says of the key that its rows are sealed with; `nil` for none.
    func proof() throws(DatabaseError) -> Data? {
        try value("SELECT proof FROM form", as: Data?.self) ?? nil
    }

    /// Opens each row, and seals it anew.
    fileprivate func reseal(from old: OutboxSealing, to new: OutboxSealing) throws(DatabaseError) {
        let places: [Int64] = try all("SELECT place FROM item ORDER BY place") { row in row[0] }
        for place in places { try reseal(place, from: old, to: new) }
    }

    private func reseal(_ place: Int64, from old: OutboxSealing, to new: OutboxSealing) throws(DatabaseError) {
        typealias Cells = (texts: [String], data: [Data?], names: OutboxNames, id: OutboxItem.ID)
        let cells = try first(
            """
            SELECT id, kind, key, target, headers, body, value, failure, names, lane, value_key FROM item WHERE place = ?
            """,
            place
        ) { (row) throws(DatabaseError) -> Cells in
            let id = OutboxItem.ID(rawValue: row[0])
            let texts = [
                try new.sealText(try old.openText(row[1], id, .kind), id, .kind),
                try new.sealText(try old.openText(row[2], id, .key), id, .key),
                try new.sealText(try old.openText(row[3], id, .target), id, .target),
                try new.sealText(try old.openText(row[4], id, .headers), id, .headers),
            ]
            let data = [
                try new.sealIfAny(try old.openIfAny(row[5], id, .body), id, .body),
                try new.sealIfAny(try old.openIfAny(row[6], id, .value), id, .value),
                try new.sealIfAny(try old.openIfAny(row[7], id, .failure), id, .failure),
            ]
            return (texts, data, try old.names(row[8], of: id, lane: row[9], valueKey: row[10]), id)
        }
        guard let cells else { return }
        try run(
            """
            UPDATE item SET kind = ?, key = ?, target = ?, headers = ?, body = ?, value = ?, failure = ?, names = ?,
                lane = ?, value_key = ? WHERE place = ?
            """,
            cells.texts[0],
            cells.texts[1],
            cells.texts[2],
            cells.texts[3],
            cells.data[0],
            cells.data[1],
            cells.data[2],
            try new.sealNames(cells.names, cells.id),
            try new.index(cells.names.lane, "lane"),
            try cells.names.valueKey.map { (key) throws(DatabaseError) in try new.index(key, "value") },
            place
        )
    }
}
