import FoundationEssentials
public import MastheadNetworking

/// What must be true of an element for a query to find it.
///
/// ```swift
/// let query = library.articles.where(.any([.field(.section, is: "Profiles"), .keyword("harbour")]))
/// ```
///
/// Values are bound to the statement and never part of it, so any text may be asked for.
public struct LibraryCondition<Element>: Sendable {
    let text: QueryText

    /// A property has a value; what is unknown has none.
    public static func field<Value>(_ field: LibraryField<Element, Value>, is value: Value) -> Self {
        let isIndexed = field.column == "sku"
        return Self(text: QueryText(sql: "e.\(field.column) = ?", values: [field.encode(value)], isIndexed: isIndexed))
    }

    /// A property has one of these values: with none of them nothing is found.
    public static func field<Value>(_ field: LibraryField<Element, Value>, isAnyOf values: [Value]) -> Self {
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        return Self(text: QueryText(sql: "e.\(field.column) IN (\(marks))", values: values.map(field.encode)))
    }

    /// A property has a value less than this one, or a date before it; what is unknown is not less.
    public static func field<Value: Comparable>(
        _ field: LibraryField<Element, Value>,
        isLessThan value: Value
    ) -> Self {
        Self(text: QueryText(sql: "e.\(field.column) < ?", values: [field.encode(value)]))
    }

    /// A property has a value greater than this one, or a date after it; what is unknown is not greater.
    public static func field<Value: Comparable>(
        _ field: LibraryField<Element, Value>,
        isGreaterThan value: Value
    ) -> Self {
        Self(text: QueryText(sql: "e.\(field.column) > ?", values: [field.encode(value)]))
    }

    /// A member of the publisher's own metadata has a value: of the same type, however it is written.
    ///
    /// A member in a text that is a JSON object counts too. 7 and 7.0 are the same, 7 and "7" are not; objects and arrays are
    /// compared as they are written, white space aside.
    public static func metadata(_ key: String, is value: JSONValue) -> Self {
        let (test, values): (String, [QueryValue]) =
            switch value {
            case .null: ("m.type = 'null'", [])
            case .bool(let value): ("m.type = ?", [.text(value ? "true" : "false")])
            case .string(let value): ("m.type = 'text' AND m.atom = ?", [.text(value)])
            case .array, .object:
                ("m.type IN ('array', 'object') AND m.value = json(?)", [.text(Self.written(value))])
            default:
                ("m.type IN ('integer', 'real') AND m.atom = CAST(? AS NUMERIC)", [.text(Self.written(value))])
            }
        return Self(
            text: QueryText(
                sql: """
                    CASE WHEN json_valid(e.metadata) THEN json_type(e.metadata) = 'object' AND EXISTS \
                    (SELECT 1 FROM json_each(e.metadata) m WHERE m.key = ? AND \(test)) ELSE 0 END
                    """,
                values: [.text(key)] + values
            )
        )
    }

    /// None of what the condition says.
    public static func not(_ condition: Self) -> Self {
        // What is unknown is not so either.
        Self(text: QueryText(sql: "coalesce(NOT \(condition.text.sql), 1)", values: condition.text.values))
    }

    /// At least one of the conditions; with none of them nothing is found.
    public static func any(_ conditions: [Self]) -> Self {
        Self(text: .joined(conditions.map(\.text), by: "OR", ifEmpty: "0"))
    }

    /// All of the conditions; with none of them everything is found.
    public static func all(_ conditions: [Self]) -> Self {
        Self(text: .joined(conditions.map(\.text), by: "AND", ifEmpty: "1"))
    }

    private static func written(_ value: JSONValue) -> String {
        (try? value.encoded()).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

extension LibraryCondition where Element == Article {
    /// One of its keywords is this word: the whole of it, in any case, with or without diacritics.
    public static func keyword(_ word: String) -> Self { keyword(anyOf: [word]) }

    /// One of its keywords is one of these: whole, in any case, with or without diacritics.
    public static func keyword(anyOf words: [String]) -> Self { Self(text: keywords(words, in: "article_keyword")) }
}

extension LibraryCondition where Element == Volume {
    /// One of its keywords is this word: the whole of it, in any case, with or without diacritics.
    public static func keyword(_ word: String) -> Self { keyword(anyOf: [word]) }

    /// One of its keywords is one of these: whole, in any case, with or without diacritics.
    public static func keyword(anyOf words: [String]) -> Self { Self(text: keywords(words, in: "volume_keyword")) }
}

private func keywords(_ words: [String], in table: String) -> QueryText {
    let marks = Array(repeating: "?", count: words.count).joined(separator: ", ")
    return QueryText(
        sql: "e.number IN (SELECT owner FROM \(table) WHERE word IN (\(marks)))",
        values: words.map { .text(Folding.folded($0)) },
        isIndexed: true
    )
}
