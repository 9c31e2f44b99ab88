import FoundationEssentials
import MastheadJSON

extension JSONValue: Codable {
    /// Reads any value from any decoder.
    ///
    /// A whole number beyond 64 bits comes as its digits; from a decoder other than ``MastheadDecoder`` where it can give 38
    /// of them, and is refused beyond.
    public init(from decoder: any Decoder) throws {
        if let value = TapeDecoder.tree(of: decoder, Self.init(piece:)) {
            self = value
            return
        }
        let container = try decoder.singleValueContainer()
        // Text comes first because most values are: each failed attempt costs an error.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try Self.elements([String: JSONValue].self, in: container) {
            self = .object(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try Self.elements([JSONValue].self, in: container) {
            self = .array(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(String(value))
        } else if let value = try? container.decode(Double.self) {
            self = try Self.exactly(value, in: container)
        } else {
            // Text that is broken, or a number beyond `Double`.
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "The value is none that can be kept as it is."
            )
        }
    }

    private init(piece: JSONPiece<JSONValue>) {
        switch piece {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .int(value)
        case .number(let digits): self = JSONValue(number: digits)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements)
        case .object(let members): self = .object(members)
        }
    }

    /// Writes the value, its numbers as they are.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .number(let digits): try Self.encode(digits, into: &container)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The elements or members of a value; `nil` if it has none to have.
    ///
    /// What is wrong within is thrown as it is: to try every other kind too, at each level, would take a deep value of a
    /// few hundred bytes many seconds.
    private static func elements<Elements: Decodable>(
        _ type: Elements.Type,
        in container: any SingleValueDecodingContainer
    ) throws -> Elements? {
        do {
            return try container.decode(type)
        } catch DecodingError.typeMismatch(_, let context)
            where context.codingPath.count <= container.codingPath.count
        {
            return nil
        }
    }

    /// A decoder hands a whole number over as the nearest `Double` without a word.
    private static func exactly(_ value: Double, in container: any SingleValueDecodingContainer) throws -> JSONValue {
        guard value.magnitude >= 0x1p63, let decimal = try? container.decode(Decimal.self) else {
            return .double(value)
        }
        if let rounded = Decimal(string: "\(value)"), rounded == decimal { return .double(value) }
        let digits = decimal.description
        guard digits.utf8.count(where: \.isDigit) < 38 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The number has too many digits.")
        }
        return .number(digits)
    }

    private static func encode(_ digits: String, into container: inout any SingleValueEncodingContainer) throws {
        if let value = UInt64(digits) {
            try container.encode(value)
        } else if let value = Decimal(string: digits), value.description == digits {
            try container.encode(value)
        } else {
            let context = EncodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "The number has no exact form in this encoder."
            )
            throw EncodingError.invalidValue(digits, context)
        }
    }
}
