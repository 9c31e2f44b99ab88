import FoundationEssentials
import MastheadNetworking

// One rule for all: a missing key and a `null` are "not there"; the forms the protocol knows are read; anything else
// is an error that names its place, so that the decode hook hears of a server that changed.
extension KeyedDecodingContainer {
    private func isMissing(_ key: Key) throws -> Bool {
        try !contains(key) || decodeNil(forKey: key)
    }

    private func mismatch<Value>(_ key: Key, _ type: Value.Type, _ expected: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath + [key], debugDescription: "Expected \(expected)."))
    }

    /// The members of an object; `nil` if it is not there.
    func members<Nested: CodingKey>(
        of key: Key,
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested>? {
        try isMissing(key) ? nil : nestedContainer(keyedBy: type, forKey: key)
    }

    /// A text; `""` if it is not there.
    func text(_ key: Key) throws -> String {
        try decodeIfPresent(String.self, forKey: key) ?? ""
    }

    /// A text that used to have another name.
    func text(_ key: Key, or alias: Key) throws -> String {
        try decodeIfPresent(String.self, forKey: key) ?? text(alias)
    }

    /// A boolean, also as the number 0 or 1; `false` if it is not there.
    func flag(_ key: Key) throws -> Bool {
        if try isMissing(key) { return false }
        if let value = try? decode(Bool.self, forKey: key) { return value }
        switch try? decode(Int.self, forKey: key) {
        case 0: return false
        case 1: return true
        default: throw mismatch(key, Bool.self, "true, false, 0 or 1")
        }
    }

    /// A number of pixels, rounded to whole ones.
    func pixels(_ key: Key) throws -> Int? {
        if try isMissing(key) { return nil }
        if let value = try? decode(Int.self, forKey: key) { return value }
        let number = try decode(Double.self, forKey: key)
        guard let value = Int(exactly: number.rounded()) else {
            throw mismatch(key, Int.self, "a number of pixels")
        }
        return value
    }

    /// An id; `nil` if it is not there or `""`.
    func identifier<Owner>(_ key: Key) throws -> Identifier<Owner>? {
        if try isMissing(key) { return nil }
        if let text = try? decode(String.self, forKey: key) { return text.isEmpty ? nil : Identifier(text) }
        return try decode(Identifier<Owner>.self, forKey: key)
    }

    /// A SKU; `nil` if it is not there or `""`.
    func sku(_ key: Key) throws -> SKU? {
        let text = try text(key)
        return text.isEmpty ? nil : SKU(text)
    }

    /// The ids of an array of `{"id": …}`, in its order.
    func references<Owner>(_ key: Key) throws -> [Identifier<Owner>] {
        try decodeIfPresent([Reference<Owner>].self, forKey: key)?.map(\.id) ?? []
    }

    /// An absolute `http` or `https` URL; `nil` for any other text.
    func url(_ key: Key) throws -> URL? {
        guard let url = try URL(string: text(key)),
            ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host, !host.isEmpty
        else {
            return nil
        }
        return url
    }

    /// A date in any ISO form; `nil` if it is not there or `""`.
    func date(_ key: Key) throws -> Date? {
        let text = try text(key)
        if text.isEmpty { return nil }
        guard let date = WireDate.date(of: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "Expected a date such as 2026-01-05T09:00:00+00:00."
            )
        }
        return date
    }

    /// The date of an object `{"date": …}`, which may be empty.
    func update(_ key: Key) throws -> Date? {
        try members(of: key, keyedBy: UpdateKeys.self)?.date(.date)
    }

    /// An array of words, some of which may be numbers, or one text with commas between them.
    func keywords(_ key: Key) throws -> [String] {
        try decodeIfPresent(Keywords.self, forKey: key)?.words ?? []
    }

    /// An object or a text; empty if it is not there.
    func customMetadata(_ key: Key) throws -> CustomMetadata {
        try decodeIfPresent(CustomMetadata.self, forKey: key) ?? [:]
    }
}

extension KeyedEncodingContainer {
    /// Writes a date, `""` for none.
    mutating func encode(date: Date?, forKey key: Key) throws {
        try encode(date.map(WireDate.text) ?? "", forKey: key)
    }

    /// Writes `{"date": …}`, `{}` for none.
    mutating func encode(update date: Date?, forKey key: Key) throws {
        var container = nestedContainer(keyedBy: UpdateKeys.self, forKey: key)
        if let date { try container.encode(WireDate.text(of: date), forKey: .date) }
    }
}

private enum UpdateKeys: String, CodingKey {
    case date
}
