import FoundationEssentials

/// A property of a model that a query can compare.
///
/// ```swift
/// let profiles = library.articles.where(.section, is: "Profiles")
/// ```
///
/// What publishers say beyond these is asked for with ``LibraryCondition/metadata(_:is:)``.
public struct LibraryField<Element, Value>: Sendable {
    let column: String
    let encode: @Sendable (Value) -> QueryValue
}

extension LibraryField where Value == String {
    init(_ column: String) {
        self.init(column: column) { .text($0) }
    }
}

extension LibraryField where Value == Bool {
    init(_ column: String) {
        self.init(column: column) { .integer($0 ? 1 : 0) }
    }
}

extension LibraryField where Value == Int {
    init(_ column: String) {
        self.init(column: column) { .integer(Int64($0)) }
    }
}

extension LibraryField where Value == Date {
    init(_ column: String) {
        self.init(column: column) { .real($0.column) }
    }
}

extension LibraryField where Value == URL {
    init(_ column: String) {
        self.init(column: column) { .text($0.absoluteString) }
    }
}

extension LibraryField where Value == SKU {
    init(_ column: String) {
        self.init(column: column) { .text($0.rawValue) }
    }
}
