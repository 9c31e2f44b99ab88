/// What a query asks for, as the parts of a statement.
struct QueryParts: Sendable {
    /// What must hold the elements, in whose order they come.
    struct Parent: Sendable {
        let relation: LibraryRelation
        let id: String
    }

    enum Order: Sendable {
        /// The parent's, or else the kind's own.
        case natural
        case newestFirst
        case oldestFirst
    }

    var parent: Parent?
    var conditions: [QueryText] = []
    var order = Order.natural
    var limit: Int?
    var offset = 0
    var isFeaturedOnly = false
    var hasBodies = false

    /// Asks for what one more parent holds; its order counts.
    mutating func add(_ relation: LibraryRelation, _ id: String) {
        if let parent {
            let sql = "e.id IN (SELECT child FROM \(parent.relation.name) WHERE parent = ?)"
            conditions.append(QueryText(sql: sql, values: [.text(parent.id)], isIndexed: true))
        }
        parent = Parent(relation: relation, id: id)
    }

    /// Whether it is sure to look at few rows.
    var isQuick: Bool {
        guard let limit, limit <= 200, offset <= 2000 else { return false }
        return parent != nil || conditions.isEmpty || conditions.contains(where: \.isIndexed)
    }

    /// The statement that reads some columns, where `e` is the table; in order and with the limit, unless it counts.
    func statement<Element>(
        _ columns: String,
        of table: LibraryTable<Element>,
        join: String = "",
        isCount: Bool = false
    ) -> QueryText {
        var text = QueryText(sql: "")
        text.sql.reserveCapacity(columns.utf8.count + 320)
        text.sql += "SELECT "
        text.sql += columns
        text.sql += " FROM "
        var conditions = conditions
        if let parent {
            // In this order, so that the parent's rows lead to the elements.
            text.sql += parent.relation.name
            text.sql += " r CROSS JOIN "
            text.sql += table.name
            text.sql += " e ON e.id = r.child"
            conditions.insert(QueryText(sql: "r.parent = ?", values: [.text(parent.id)]), at: 0)
        } else {
            text.sql += "\(table.name) e"
        }
        text.sql += join
        if isFeaturedOnly {
            let isOfIssue = parent?.relation.name == LibraryRelation.issueArticles.name
            let sql = isOfIssue ? "coalesce(r.isFeatured, e.isFeatured)" : "e.isFeatured"
            conditions.append(QueryText(sql: sql))
        }
        if conditions.count > QueryText.widest { conditions = [.joined(conditions, by: "AND", ifEmpty: "1")] }
        for (index, condition) in conditions.enumerated() {
            text.sql += index == 0 ? " WHERE " : " AND "
            text.sql += condition.sql
            text.values += condition.values
        }
        guard !isCount else { return text }
        text.sql += " ORDER BY "
        text.sql += orderText(table)
        if limit != nil || offset > 0 {
            text.sql += " LIMIT ? OFFSET ?"
            text.values += [.integer(Int64(limit ?? -1)), .integer(Int64(offset))]
        }
        return text
    }

    private func orderText<Element>(_ table: LibraryTable<Element>) -> String {
        let date = table.name == "asset" ? "e.updated" : "e.date"
        switch order {
        case .natural where parent?.relation.name == LibraryRelation.volumeIssues.name:
            return "r.placement IS NULL, r.placement, e.number"
        case .natural where parent != nil: return "r.placement"
        case .natural: return table.order
        case .newestFirst: return "\(date) DESC, e.number DESC"
        case .oldestFirst: return "\(date) IS NULL, \(date), e.number"
        }
    }
}
