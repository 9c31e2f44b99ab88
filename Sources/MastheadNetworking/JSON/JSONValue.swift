/// Any JSON value (RFC 8259).
///
/// ```swift
/// let meta: JSONValue = ["theme": "dark", "columns": 2]
/// meta["theme"]?.stringValue      // "dark"
/// meta.value(at: "/columns")      // 2
/// ```
///
/// A whole number is never rounded unseen: one that is read is ``int(_:)`` if it fits, `2.0` and `2e0` too, and else
/// ``number(_:)``. One with a fraction is a ``double(_:)``, or a ``number(_:)`` beyond the range of that.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null

    /// `true` or `false`.
    case bool(Bool)

    /// A whole number that fits 64 bits with sign.
    case int(Int64)

    /// A number with a fraction, or a power of ten, as near as `Double` comes to it.
    case double(Double)

    /// A number that neither of the others holds, as it was written: `18446744073709551615`, `1e400`.
    case number(String)

    /// Text.
    case string(String)

    /// Values in order.
    case array([JSONValue])

    /// Values by name; of two with the same name, the first.
    case object([String: JSONValue])

    /// How deep arrays and objects may be nested, in what is read and in what is written.
    static let maximumDepth = 512

    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a ``string(_:)``.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an ``int(_:)``.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// Makes a ``double(_:)``.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Makes a ``bool(_:)``.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes a ``null``.
    public init(nilLiteral: ()) { self = .null }

    /// Makes an ``array(_:)``.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an ``object(_:)``; of two members with the same name, the first stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}

extension JSONValue {
    /// The string, if it is one.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The whole number, if it is one: `2` and `2.0`, but neither `2.5` nor `"2"`.
    public var intValue: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, if it is one that `Double` has in its range.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .number(let digits): Double(digits).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The Boolean, if it is one, or a number that stands for one: 0 or 1, as some servers write it.
    public var boolValue: Bool? {
        switch self {
        case .bool(let value): value
        case .int(0): false
        case .int(1): true
        default: nil
        }
    }

    /// The elements, if it is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if it is an object.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Whether it is `null`.
    public var isNull: Bool { self == .null }

    /// The member of that name, if this is an object that has it.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element at that place, if this is an array that has it.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }
}
