package import MastheadTransport

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

    /// The fields as the transport sends them and reads them, so that none is made anew on its way.
    package private(set) var lines: [HeaderField]

    /// The fields in the order of sending or arrival; a name may stand there more than once.
    public var fields: [Field] { lines.map { Field(name: $0.name, value: $0.value) } }

    /// Makes header fields in their order.
    public init(_ fields: [Field] = []) {
        lines = fields.map { HeaderField(name: $0.name, value: $0.value) }
    }

    /// Makes header fields of a literal, in its order; a name may stand there more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { HeaderField(name: $0.0, value: $0.1) }
    }

    /// The fields of an answer, as the transport read them.
    package init(lines: [HeaderField]) {
        self.lines = lines
    }

    /// Whether there are none.
    package var isEmpty: Bool { lines.isEmpty }

    /// The first value of a field; `nil` if there is none.
    ///
    /// Setting replaces every field of that name.
    public subscript(name: String) -> String? {
        get { lines.first { $0.name.isEqualIgnoringASCIICase(name) }?.value }
        set {
            guard let newValue else {
                lines.removeAll { $0.name.isEqualIgnoringASCIICase(name) }
                return
            }
            if let index = lines.firstIndex(where: { $0.name.isEqualIgnoringASCIICase(name) }) {
                lines[index].value = newValue
                let kept = index
                lines = lines.enumerated()
                    .filter { $0.offset <= kept || !$0.element.name.isEqualIgnoringASCIICase(name) }
                    .map(\.element)
            } else {
                lines.append(HeaderField(name: name, value: newValue))
            }
        }
    }

    /// Every value of a field, in order; empty if there is none.
    public func values(of name: String) -> [String] {
        lines.filter { $0.name.isEqualIgnoringASCIICase(name) }.map(\.value)
    }

    /// Adds a field and keeps those of the same name.
    public mutating func append(_ value: String, for name: String) {
        lines.append(HeaderField(name: name, value: value))
    }

    /// Adds those fields of `defaults` whose names are not here yet.
    public mutating func merge(defaults: HTTPHeaders) {
        let added = defaults.lines.filter { self[$0.name] == nil }
        lines.append(contentsOf: added)
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
