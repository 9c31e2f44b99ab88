import FoundationEssentials
import MastheadSQLite

extension Connection {
    /// Takes up the first write of a lane, if it can be sent: from now on nobody discards it.
    func takeUp(
        from lane: String,
        holdingParked: Bool,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) -> KeptWrite? {
        guard let write = try head(of: lane, holdingParked: holdingParked, sealing) else { return nil }
        try run("UPDATE item SET taken = 1 WHERE id = ?", write.id.rawValue)
        return write
    }

    /// Lets a write that was taken up be one that waits.
    func release(_ id: OutboxItem.ID) throws(DatabaseError) {
        try run("UPDATE item SET taken = 0 WHERE id = ?", id.rawValue)
    }

    /// Rubs out the marks of a drain that did not come to its end; the caller has the file's lock.
    func releaseAll() throws(DatabaseError) {
        try run("UPDATE item SET taken = 0 WHERE taken <> 0")
    }

    /// Whether a write is marked as taken up, be it by a drain that is over.
    func hasTaken() throws(DatabaseError) -> Bool {
        try value("SELECT 1 FROM item WHERE taken <> 0 LIMIT 1", as: Int.self) != nil
    }

    /// Removes a write that was done.
    func remove(_ id: OutboxItem.ID) throws(DatabaseError) {
        try run("DELETE FROM item WHERE id = ?", id.rawValue)
    }

    /// Notes an attempt in vain.
    func note(
        _ failure: OutboxFailure,
        of id: OutboxItem.ID,
        notBefore: Date?,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) {
        try run(
            "UPDATE item SET attempts = attempts + 1, failure = ?, not_before = ? WHERE id = ?",
            try sealing.sealIfAny(failure.encoded, id, .failure),
            notBefore?.timeIntervalSince1970,
            id.rawValue
        )
    }

    /// Sets a write aside, and with it those that depend on it.
    ///
    /// - Returns: The values that are shown no more.
    func park(
        _ id: OutboxItem.ID,
        because failure: OutboxFailure,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) -> [OptimisticValue] {
        var hidden = try shown(of: id, sealing)
        try run(
            "UPDATE item SET state = 1, taken = 0, attempts = attempts + 1, failure = ?, not_before = NULL WHERE id = ?",
            try sealing.sealIfAny(failure.encoded, id, .failure),
            id.rawValue
        )
        hidden += try parkDependents(of: id, sealing)
        return hidden
    }

    /// Sets aside those that depend on a write, whatever way.
    private func parkDependents(
        of id: OutboxItem.ID,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) -> [OptimisticValue] {
        let dependents: [Int64] = try all(
            """
            WITH RECURSIVE dependent (place, id) AS (
                SELECT place, id FROM dependency JOIN item ON place = item WHERE needs = ?
                UNION
                SELECT item.place, item.id FROM dependent JOIN dependency ON needs = dependent.id
                JOIN item ON item.place = dependency.item
            ) SELECT place FROM dependent
            """,
            id.rawValue
        ) { row in row[0] }
        var hidden: [OptimisticValue] = []
        for place in dependents {
            hidden += try shown(at: place, sealing)
            try run("UPDATE item SET state = 2 WHERE place = ? AND state = 0", place)
        }
        return hidden
    }

    /// Lets a parked write go on, and with it those that were parked because of it alone.
    ///
    /// - Returns: The values that are shown again; `nil` if it is not parked by itself.
    func retry(_ id: OutboxItem.ID, _ sealing: OutboxSealing) throws(DatabaseError) -> [OptimisticValue]? {
        try run(
            """
            UPDATE item SET failure = NULL, not_before = NULL, state = iif(EXISTS (
                SELECT 1 FROM dependency JOIN item AS needed ON needed.id = needs
                WHERE dependency.item = item.place AND needed.state <> 0
            ), 2, 0) WHERE id = ? AND state = 1
            """,
            id.rawValue
        )
        guard changeCount > 0 else { return nil }
        var shown = try self.shown(of: id, sealing)
        while true {
            let freed: [Int64] = try all(
                """
                SELECT place FROM item WHERE state = 2 AND NOT EXISTS (
                    SELECT 1 FROM dependency JOIN item AS needed ON needed.id = needs
                    WHERE dependency.item = item.place AND needed.state <> 0
                )
                """
            ) { row in row[0] }
            if freed.isEmpty { return shown }
            for place in freed {
                try run("UPDATE item SET state = 0 WHERE place = ?", place)
                shown += try self.shown(at: place, sealing)
            }
        }
    }

    /// What became of the wish to give a write up.
    enum Discarded: Sendable {
        /// It is gone, and these values are shown no more.
        case gone([OptimisticValue])
        /// It was taken up before.
        case tooLate
        /// There is no such write.
        case unknown
    }

    /// Gives a write up that nobody has taken up; those that depend on it are parked, for the app to decide about.
    func discard(_ id: OutboxItem.ID, _ sealing: OutboxSealing) throws(DatabaseError) -> Discarded {
        let isTaken = try value("SELECT taken FROM item WHERE id = ?", id.rawValue, as: Bool.self)
        guard let isTaken else { return .unknown }
        guard !isTaken else { return .tooLate }
        let hidden = try shown(of: id, sealing) + parkDependents(of: id, sealing)
        let dependents: [String] = try all(
            "SELECT id FROM item JOIN dependency ON place = item WHERE needs = ? AND state <> 1",
            id.rawValue
        ) { row in row[0] }
        for dependent in dependents {
            let failure = OutboxFailure.discardedDependency.encoded
            try run(
                "UPDATE item SET state = 1, failure = ? WHERE id = ?",
                try sealing.sealIfAny(failure, OutboxItem.ID(rawValue: dependent), .failure),
                dependent
            )
        }
        try run("DELETE FROM dependency WHERE needs = ?", id.rawValue)
        try remove(id)
        return .gone(hidden)
    }

    /// How many wait, and how many are parked.
    func counts() throws(DatabaseError) -> (pending: Int, parked: Int) {
        let pending = try value("SELECT count(*) FROM item WHERE state = 0", as: Int.self) ?? 0
        let all = try value("SELECT count(*) FROM item", as: Int.self) ?? 0
        return (pending, all - pending)
    }

    /// The writes in the order they were enqueued in.
    func items(
        atMost limit: Int,
        sending: Set<OutboxItem.ID>,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) -> [OutboxItem] {
        try all(
            """
            SELECT id, kind, lane, state, attempts, failure, date, value_key, names FROM item ORDER BY place LIMIT ?
            """,
            limit
        ) { (row) throws(DatabaseError) in
            let id = OutboxItem.ID(rawValue: row[0])
            let names = try sealing.names(row[8], of: id, lane: row[2], valueKey: row[7])
            let failure = try sealing.openIfAny(row[5], id, .failure)
            let state: OutboxItem.State =
                switch OutboxDatabase.Standing(rawValue: row[3]) {
                case .parked: .parked
                case .parkedWithDependency: .parkedWithDependency
                case .pending, nil: sending.contains(id) ? .sending : .pending
                }
            return OutboxItem(
                id: id,
                kind: try sealing.openText(row[1], id, .kind),
                lane: names.lane,
                state: state,
                attempts: row[4],
                failure: failure.flatMap { try? JSONDecoder().decode(OutboxFailure.self, from: $0) },
                date: Date(timeIntervalSince1970: row[6]),
                valueKey: names.valueKey
            )
        }
    }
}

extension OutboxFailure {
    fileprivate var encoded: Data? { try? JSONEncoder().encode(self) }
}
