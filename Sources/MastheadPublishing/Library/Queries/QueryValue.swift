import MastheadSQLite

/// A value that a query compares with: always bound, never part of a statement's text.
enum QueryValue: Sendable, Hashable, Bindable {
    case text(String)
    case integer(Int64)
    case real(Double)

    func bind(to bindings: inout Bindings) {
        switch self {
        case .text(let value): value.bind(to: &bindings)
        case .integer(let value): value.bind(to: &bindings)
        case .real(let value): value.bind(to: &bindings)
        }
    }
}

/// The values of one statement, in order.
struct QueryValues: Sendable, Hashable, Bindable {
    var values: [QueryValue] = []

    func bind(to bindings: inout Bindings) {
        for value in values { value.bind(to: &bindings) }
    }
}

/// A part of a statement, and what is bound in it.
struct QueryText: Sendable, Hashable {
    var sql: String
    var values: [QueryValue] = []

    /// Whether an index leads to few rows.
    var isIndexed = false

    /// How many stand side by side: SQLite allows no expression of a depth of a thousand, and each takes one step down.
    static var widest: Int { 100 }

    /// True of all of them, or of any.
    static func joined(_ parts: [QueryText], by word: String, ifEmpty: String) -> QueryText {
        guard !parts.isEmpty else { return QueryText(sql: ifEmpty) }
        guard parts.count <= widest else {
            let groups = stride(from: 0, to: parts.count, by: widest).map { start in
                joined(Array(parts[start...].prefix(widest)), by: word, ifEmpty: ifEmpty)
            }
            return joined(groups, by: word, ifEmpty: ifEmpty)
        }
        return QueryText(
            sql: "(" + parts.map(\.sql).joined(separator: " \(word) ") + ")",
            values: parts.flatMap(\.values)
        )
    }
}
