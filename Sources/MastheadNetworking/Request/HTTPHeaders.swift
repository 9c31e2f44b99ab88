/// Header fields in order, looked up without regard to case (RFC 9110, section 5).
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["X-Preview-App"] = "preview"
/// ```
///
/// Names and values are kept as given; what must not be sent (CR, LF, NUL) is refused when a request is made of them.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name, in the spelling it was given in.
        public var name: String

        /// The value, without surrounding white space.
        public var value: String

        /// Makes a field; nothing is checked yet.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in the order of sending or arrival; a name may stand there more than once.
    public private(set) var fields: [Field]

    /// Makes header fields in their order.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Makes header fields of a literal, in its order; a name may stand there more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of a field; `nil` if there is none.
    ///
    /// Setting replaces every field of that name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.isEqualIgnoringASCIICase(name) }?.value }
        set {
            guard let newValue else {
                fields.removeAll { $0.name.isEqualIgnoringASCIICase(name) }
                return
            }
            if let index = fields.firstIndex(where: { $0.name.isEqualIgnoringASCIICase(name) }) {
                fields[index].value = newValue
                let kept = index
                fields = fields.enumerated()
                    .filter { $0.offset <= kept || !$0.element.name.isEqualIgnoringASCIICase(name) }
                    .map(\.element)
            } else {
                fields.append(Field(name: name, value: newValue))
            }
        }
    }

    /// Every value of a field, in order; empty if there is none.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.isEqualIgnoringASCIICase(name) }.map(\.value)
    }

    /// Adds a field and keeps those of the same name.
    public mutating func append(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds those fields of `defaults` whose names are not here yet.
    public mutating func merge(defaults: HTTPHeaders) {
        let added = defaults.fields.filter { self[$0.name] == nil }
        fields.append(contentsOf: added)
    }
}

extension String {
    /// Whether both are the same when A to Z are taken for a to z.
    func isEqualIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { left, right in
                left == right || (left | 0x20 == right | 0x20 && (left | 0x20).isASCIILowercaseLetter)
            }
    }
}

extension UInt8 {
    var isASCIILowercaseLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
}
