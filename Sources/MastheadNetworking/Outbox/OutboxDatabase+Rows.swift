import FoundationEssentials
import MastheadSQLite

extension Connection {
    /// Adds a write at the end of its lane.
    ///
    /// - Returns: Whether its value is to be shown; `nil` if it was there already.
    func insert(_ write: KeptWrite, at date: Date) throws(DatabaseError) -> Bool? {
        try run(
            """
            INSERT OR IGNORE INTO item
                (id, kind, lane, key, method, target, headers, body, uses_session, timeout, value_key, value, state, date)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            """,
            write.id.rawValue,
            write.kind,
            write.lane,
            write.key,
            write.method,
            write.target,
            HeaderText.text(of: write.headers),
            write.body,
            write.usesSession,
            write.timeout?.inSeconds,
            write.valueKey,
            write.value,
            date.timeIntervalSince1970
        )
        guard changeCount > 0 else { return nil }
        let place = lastInsertedRowID
        var isParked = false
        for id in write.dependencies {
            let state = try value("SELECT state FROM item WHERE id = ?", id.rawValue, as: Int.self)
            // What is not there is done.
            guard let state else { continue }
            isParked = isParked || state != OutboxDatabase.Standing.pending.rawValue
            try run("INSERT OR IGNORE INTO dependency VALUES (?, ?)", place, id.rawValue)
        }
        if isParked { try run("UPDATE item SET state = 2 WHERE place = ?", place) }
        return !isParked
    }

    /// The lanes whose first write can be sent, in the order of those.
    func readyLanes(holdingParked: Bool) throws(DatabaseError) -> [String] {
        let heads: SQL =
            holdingParked
            ? """
            SELECT item.lane FROM (SELECT min(place) AS place FROM item GROUP BY lane) JOIN item USING (place)
            WHERE state = 0 AND NOT EXISTS (
                SELECT 1 FROM dependency JOIN item AS needed ON needed.id = needs WHERE dependency.item = item.place
            ) ORDER BY item.place
            """
            : """
            SELECT item.lane FROM (SELECT min(place) AS place FROM item WHERE state = 0 GROUP BY lane)
            JOIN item USING (place) WHERE NOT EXISTS (
                SELECT 1 FROM dependency JOIN item AS needed ON needed.id = needs WHERE dependency.item = item.place
            ) ORDER BY item.place
            """
        return try all(heads) { row in row[0] }
    }

    /// The first write of a lane, if it can be sent.
    func head(of lane: String, holdingParked: Bool) throws(DatabaseError) -> KeptWrite? {
        let place = try value(
            """
            SELECT CASE state WHEN 0 THEN place END FROM item WHERE lane = ? AND (state = 0 OR ?) ORDER BY place LIMIT 1
            """,
            lane,
            holdingParked,
            as: Int64.self
        )
        guard let place else { return nil }
        let blocks = try value(
            "SELECT 1 FROM dependency JOIN item ON item.id = needs WHERE dependency.item = ? LIMIT 1",
            place,
            as: Int.self
        )
        guard blocks == nil else { return nil }
        return try first(
            """
            SELECT id, kind, lane, key, method, target, headers, body, uses_session, timeout, value_key, value,
                attempts, not_before FROM item WHERE place = ?
            """,
            place
        ) { row in
            KeptWrite(
                id: OutboxItem.ID(rawValue: row[0]),
                kind: row[1],
                lane: row[2],
                key: row[3],
                method: row[4],
                target: row[5],
                headers: HeaderText.headers(of: row[6]),
                body: row[7],
                usesSession: row[8],
                timeout: (row[9] as Double?).map { .seconds($0) },
                valueKey: row[10],
                value: row[11],
                attempts: row[12],
                notBefore: (row[13] as Double?).map { Date(timeIntervalSince1970: $0) }
            )
        }
    }

    /// What is shown for a key: the value of the last write that is neither parked nor the one that is passed over.
    func shown(for key: String, without id: OutboxItem.ID? = nil) throws(DatabaseError) -> OptimisticValue? {
        try first(
            """
            SELECT value_key, id, kind, value FROM item WHERE value_key = ? AND state = 0 AND id <> ?
            ORDER BY place DESC LIMIT 1
            """,
            key,
            id?.rawValue ?? ""
        ) { row in OptimisticValue(row) }
    }

    /// What is shown for each key.
    func allShown() throws(DatabaseError) -> [OptimisticValue] {
        try all(
            """
            SELECT value_key, id, kind, value FROM item WHERE place IN (
                SELECT max(place) FROM item WHERE value_key IS NOT NULL AND state = 0 GROUP BY value_key
            ) ORDER BY place
            """
        ) { row in OptimisticValue(row) }
    }
}

extension OptimisticValue {
    init(_ row: borrowing Row) {
        self.init(key: row[0], write: OutboxItem.ID(rawValue: row[1]), kind: row[2], data: row[3])
    }
}

/// Header fields as one text.
private enum HeaderText {
    static func text(of headers: HTTPHeaders) -> String {
        let pairs = headers.fields.map { [$0.name, $0.value] }
        return (try? JSONEncoder().encode(pairs)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    static func headers(of text: String) -> HTTPHeaders {
        let pairs = (try? JSONDecoder().decode([[String]].self, from: Data(text.utf8))) ?? []
        return HTTPHeaders(pairs.filter { $0.count == 2 }.map { HTTPHeaders.Field(name: $0[0], value: $0[1]) })
    }
}

extension Duration {
    /// In seconds, with a fraction.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
