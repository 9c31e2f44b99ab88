import FoundationEssentials
import MastheadSQLite

extension Connection {
    /// Adds a write at the end of its lane.
    ///
    /// - Returns: Whether its value is to be shown; `nil` if it was there already.
    func insert(_ write: KeptWrite, at date: Date, _ sealing: OutboxSealing) throws(DatabaseError) -> Bool? {
        // Another process may have brought it into another form since it was opened.
        guard sealing.fits(try proof()) else { throw .failed(code: 0, message: "the rows are sealed otherwise now") }
        let id = write.id
        try run(
            """
            INSERT OR IGNORE INTO item (id, kind, lane, key, method, target, headers, body, uses_session, timeout,
                value_key, value, names, state, date)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
            """,
            id.rawValue,
            try sealing.sealText(write.kind, id, .kind),
            try sealing.index(write.lane, "lane"),
            try sealing.sealText(write.key, id, .key),
            write.method,
            try sealing.sealText(write.target, id, .target),
            try sealing.sealText(HeaderText.text(of: write.headers), id, .headers),
            try sealing.sealIfAny(write.body, id, .body),
            write.usesSession,
            write.timeout?.inSeconds,
            try write.valueKey.map { (key) throws(DatabaseError) in try sealing.index(key, "value") },
            try sealing.sealIfAny(write.value, id, .value),
            try sealing.sealNames(OutboxNames(lane: write.lane, valueKey: write.valueKey), id),
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
    func head(
        of lane: String,
        holdingParked: Bool,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) -> KeptWrite? {
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
                attempts, not_before, names FROM item WHERE place = ?
            """,
            place
        ) { (row) throws(DatabaseError) in
            let id = OutboxItem.ID(rawValue: row[0])
            let names = try sealing.names(row[14], of: id, lane: row[2], valueKey: row[10])
            return KeptWrite(
                id: id,
                kind: try sealing.openText(row[1], id, .kind),
                lane: names.lane,
                key: try sealing.openText(row[3], id, .key),
                method: row[4],
                target: try sealing.openText(row[5], id, .target),
                headers: HeaderText.headers(of: try sealing.openText(row[6], id, .headers)),
                body: try sealing.openIfAny(row[7], id, .body),
                usesSession: row[8],
                timeout: (row[9] as Double?).map { .seconds($0) },
                valueKey: names.valueKey,
                value: try sealing.openIfAny(row[11], id, .value),
                attempts: row[12],
                notBefore: (row[13] as Double?).map { Date(timeIntervalSince1970: $0) }
            )
        }
    }

    /// What is shown for a key: the value of the last write that is neither parked nor the one that is passed over.
    func shown(
        for key: String,
        without id: OutboxItem.ID? = nil,
        _ sealing: OutboxSealing
    ) throws(DatabaseError) -> OptimisticValue? {
        try first(
            """
            SELECT value_key, id, kind, value, names FROM item WHERE value_key = ? AND state = 0 AND id <> ?
            ORDER BY place DESC LIMIT 1
            """,
            try sealing.index(key, "value"),
            id?.rawValue ?? ""
        ) { (row) throws(DatabaseError) in try OptimisticValue(row, sealing) }
    }

    /// What is shown for each key.
    func allShown(_ sealing: OutboxSealing) throws(DatabaseError) -> [OptimisticValue] {
        try all(
            """
            SELECT value_key, id, kind, value, names FROM item WHERE place IN (
                SELECT max(place) FROM item WHERE value_key IS NOT NULL AND state = 0 GROUP BY value_key
            ) ORDER BY place
            """
        ) { (row) throws(DatabaseError) in try OptimisticValue(row, sealing) }
    }

    /// What is shown of a write, if it waits and has a value.
    func shown(of id: OutboxItem.ID, _ sealing: OutboxSealing) throws(DatabaseError) -> [OptimisticValue] {
        try all(
            """
            SELECT value_key, id, kind, value, names FROM item WHERE id = ? AND state = 0 AND value_key IS NOT NULL
            """,
            id.rawValue
        ) { (row) throws(DatabaseError) in try OptimisticValue(row, sealing) }
    }

    /// The same of a write by its place.
    func shown(at place: Int64, _ sealing: OutboxSealing) throws(DatabaseError) -> [OptimisticValue] {
        try all(
            """
            SELECT value_key, id, kind, value, names FROM item WHERE place = ? AND state = 0 AND value_key IS NOT NULL
            """,
            place
        ) { (row) throws(DatabaseError) in try OptimisticValue(row, sealing) }
    }
}

extension OptimisticValue {
    init(_ row: borrowing Row, _ sealing: OutboxSealing) throws(DatabaseError) {
        let id = OutboxItem.ID(rawValue: row[1])
        let key: String = row[0]
        self.init(
            key: try sealing.names(row[4], of: id, lane: "", valueKey: key).valueKey ?? key,
            write: id,
            kind: try sealing.openText(row[2], id, .kind),
            data: try sealing.open(row[3], id, .value)
        )
    }
}

/// Header fields as one text.
enum HeaderText {
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
