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

    /// True of all of them, or of any.
    static func joined(_ parts: [QueryText], by word: String, ifEmpty: String) -> QueryText {
        guard !parts.isEmpty else { return QueryText(sql: ifEmpty) }
        return QueryText(
            sql: "(" + parts.map(\.sql).joined(separator: " \(word) ") + ")",
            values: parts.flatMap(\.values)
        )
    }
}
