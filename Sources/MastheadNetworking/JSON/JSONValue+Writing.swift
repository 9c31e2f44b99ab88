package import FoundationEssentials
import MastheadJSON

extension JSONValue {
    /// The value as JSON, compact; the members of objects sorted by name, so that equal values give equal bytes.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a number that is not finite, or nesting without end.
    package func encoded() throws(RepositoryError) -> Data { Data(try encodedBytes()) }

    /// The same as an array.
    package func encodedBytes() throws(RepositoryError) -> [UInt8] {
        var bytes: [UInt8] = []
        // Room for most, so that it need not grow little by little.
        bytes.reserveCapacity(256)
        try append(to: &bytes, depth: 0)
        return bytes
    }

    fileprivate func append(to bytes: inout [UInt8], depth: Int) throws(RepositoryError) {
        guard depth <= Self.maximumDepth else {
            throw .invalidRequest(reason: "the body is nested deeper than \(Self.maximumDepth) levels")
        }
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value):
            guard value.isFinite else { throw .invalidRequest(reason: "the body holds a number that is not finite") }
            bytes.append(contentsOf: "\(value)".utf8)
        case .number(let digits):
            guard Self.isNumber(digits) else {
                throw .invalidRequest(reason: "the body holds a number that is none")
            }
            bytes.append(contentsOf: digits.utf8)
        case .string(let value): JSONScalar.append(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try element.append(to: &bytes, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONScalar.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try member.value.append(to: &bytes, depth: depth + 1)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension Parameters {
    /// The parameters as a JSON object, in their order.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` if a name stands there twice, of which JSON would lose one.
    func encodedAsJSON() throws(RepositoryError) -> Data {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        var names: Set<String> = []
        for element in elements {
            guard names.insert(element.name).inserted else {
                throw .invalidRequest(reason: "two parameters of a JSON body have the same name")
            }
            if names.count > 1 { bytes.append(UInt8(ascii: ",")) }
            JSONScalar.append(element.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try element.value.append(to: &bytes, depth: 1)
        }
        bytes.append(UInt8(ascii: "}"))
        return Data(bytes)
    }
}
