/// Named values for a query, a form or a JSON body, in the order they were written.
///
/// ```swift
/// let query: Parameters = ["limit": 20, "tags": ["sea", "ports"], "range": ["from": 1, "to": 9]]
/// // limit=20&tags[]=sea&tags[]=ports&range[from]=1&range[to]=9
/// ```
///
/// In a query and in a form, an array's elements are `name[]` each, or `name[0]`, `name[1]` where they are arrays or
/// objects themselves; an object's members are `name[member]`, sorted by name; a Boolean is `true` or `false`; `null`
/// is left out, as are an empty array and an empty object. Names and values are encoded exactly once: in a query
/// everything but letters, digits and `-._~` becomes `%XX` (RFC 3986), so brackets too; in a form a space becomes `+`.
///
/// In a JSON body they are the members of an object, and a name may stand there only once.
public struct Parameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The names and values in order; a name may stand there more than once.
    public var elements: [Element]

    /// One named value.
    public struct Element: Sendable, Hashable {
        /// The name, as plain text.
        public var name: String

        /// The value, as plain text, a number, or a structure of them.
        public var value: JSONValue

        /// Makes a named value.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Makes parameters of named values.
    public init(_ elements: [Element] = []) {
        self.elements = elements
    }

    /// Makes parameters of a literal, in its order; a name may stand there more than once.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.elements = elements.map { Element(name: $0.0, value: $0.1) }
    }

    /// Whether there are none.
    public var isEmpty: Bool { elements.isEmpty }

    /// Adds a value and keeps those of the same name.
    public mutating func append(_ value: JSONValue, for name: String) {
        elements.append(Element(name: name, value: value))
    }

    /// Adds all of the others after these.
    public mutating func append(contentsOf others: Parameters) {
        elements.append(contentsOf: others.elements)
    }
}
