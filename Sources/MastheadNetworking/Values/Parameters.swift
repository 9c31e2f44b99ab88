/// Named values for a query, a form or a JSON body, in the order they were written.
///
/// ```swift
/// let query: Parameters = ["limit": 20, "tags": ["sea", "ports"], "range": ["from": 1, "to": 9]]
/// // limit=20&tags[]=sea&tags[]=ports&range[from]=1&range[to]=9
/// ```
public struct Parameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The names and values in order; a name may stand there more than once.
    public var elements: [Element]

    /// One named value.
    public struct Element: Sendable, Hashable {
        public var name: String
        public var value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    public init(_ elements: [Element] = []) {
        self.elements = elements
    }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.elements = elements.map { Element(name: $0.0, value: $0.1) }
    }

    /// Whether there are none.
    public var isEmpty: Bool { elements.isEmpty }
}
