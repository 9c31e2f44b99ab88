import MastheadSQLite

/// A question to a library: a value, asked when it is read, counted or observed.
///
/// ```swift
/// let query = library.articles.inIssue("i1").where(.section, is: "Profiles").newest()
/// let first = try await query.page(1)
/// let count = try await query.count()
/// for await page in library.observe(query.limited(to: 20)) { show(page) }
/// ```
///
/// Each method gives a narrower query and leaves this one as it is. What a parent holds comes in the parent's order;
/// everything else comes newest first (assets: as they were first saved), what has no date last.
///
/// Articles come without their texts, as lists of the server have them; ``bodies()`` asks for them too.
public struct LibraryQuery<Element: Identifiable & Hashable & Sendable>: Sendable where Element.ID: Sendable {
    let library: Library
    let table: LibraryTable<Element>
    var parts = QueryParts()

    init(_ library: Library, _ table: LibraryTable<Element>) {
        self.library = library
        self.table = table
    }

    func with(_ change: (inout QueryParts) -> Void) -> Self {
        var copy = self
        change(&copy.parts)
        return copy
    }

    // MARK: Narrowing

    /// Only those of which a condition is true.
    public func `where`(_ condition: LibraryCondition<Element>) -> Self {
        with { $0.conditions.append(condition.text) }
    }

    /// Only those of which a property has a value.
    public func `where`<Value>(_ field: LibraryField<Element, Value>, is value: Value) -> Self {
        self.where(.field(field, is: value))
    }

    /// The newest first.
    public func newest() -> Self { with { $0.order = .newestFirst } }

    /// The oldest first.
    public func oldest() -> Self { with { $0.order = .oldestFirst } }

    /// At most so many, after so many others; less than 0 counts as 0.
    public func limited(to count: Int, after offset: Int = 0) -> Self {
        with {
            $0.limit = max(0, count)
            $0.offset = max(0, offset)
        }
    }

    // MARK: Asking

    /// One page, the first being 1, which also stands for anything less; empty past the last.
    ///
    /// A limit of 0 or less means 20.
    @concurrent
    public func page(_ page: Int, limit: Int = 20) async throws(LibraryError) -> [Element] {
        let limit = limit > 0 ? limit : 20
        let (offset, isOver) = (max(1, page) - 1).multipliedReportingOverflow(by: limit)
        return isOver ? [] : try await limited(to: limit, after: offset).all()
    }

    /// The first one; `nil` if there is none.
    @concurrent
    public func first() async throws(LibraryError) -> Element? {
        try await limited(to: min(1, parts.limit ?? 1), after: parts.offset).all().first
    }

    /// All of them, in memory at once: see ``page(_:limit:)`` for a long list.
    @concurrent
    public func all() async throws(LibraryError) -> [Element] {
        try await rows()
    }

    /// The ids of all of them, in order.
    @concurrent
    public func ids() async throws(LibraryError) -> [Element.ID] where Element.ID == Identifier<Element> {
        let text = parts.statement("e.id", of: table)
        return try await library.readAll { connection throws(DatabaseError) in
            try connection.all(.dynamic(text.sql), QueryValues(values: text.values)) { row in Element.ID(row[0]) }
        }
    }

    /// How many there are, whatever the limit.
    @concurrent
    public func count() async throws(LibraryError) -> Int {
        let text = parts.statement("count(*)", of: table, isCount: true)
        return try await library.readAll { connection throws(DatabaseError) in
            try connection.value(.dynamic(text.sql), QueryValues(values: text.values)) ?? 0
        }
    }

    func rows() async throws(LibraryError) -> [Element] {
        let (table, body) = (table, parts.hasBodies ? table.withBody : nil)
        let text = parts.statement(body?.columns ?? table.columns, of: table, join: body?.join ?? "")
        let room = min(parts.limit ?? 0, 200)
        let read: Database.Job<[Element]> = { connection throws(DatabaseError) in
            try table.all(.dynamic(text.sql), QueryValues(values: text.values), connection, room: room)
        }
        return parts.isQuick ? try await library.look(read) : try await library.readAll(read)
    }
}
