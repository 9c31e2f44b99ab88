import FoundationEssentials

/// Decodes a body a second time to learn where the first time failed.
///
/// Foundation forgets the place of a number that does not fit, and an error that a model throws itself never has one. So
/// after such a failure the body is decoded again through decoders that stand before Foundation's, pass every call on,
/// and put the place on what comes back.
struct TracingDecoder: Decoder {
    let base: any Decoder

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(TracingKeyedContainer(base: try base.container(keyedBy: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        TracingUnkeyedContainer(base: try base.unkeyedContainer())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        TracingSingleValueContainer(base: try base.singleValueContainer())
    }

    /// What keeps a body from becoming a value; `nil` if nothing does, or its place stays unknown.
    static func problem<Value: Decodable>(
        of type: Value.Type,
        in body: Data,
        _ options: DecodingOptions
    ) -> DecodingProblem? {
        do {
            if isFoundations(type) {
                _ = try options.makeDecoder().decode(type, from: body)
            } else {
                _ = try options.makeDecoder().decode(Traced<Value>.self, from: body)
            }
            return nil
        } catch {
            return DecodingProblem(error)
        }
    }

    /// Whether Foundation's decoder decodes the type itself, by its options, and not through its initialiser.
    static func isFoundations(_ type: any Decodable.Type) -> Bool {
        type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
    }
}

/// A value decoded through a decoder that keeps the place.
struct Traced<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        do {
            value = try Value(from: TracingDecoder(base: decoder))
        } catch {
            throw DecodingProblem.placed(error, .thrown(error), at: decoder.codingPath)
        }
    }
}

extension DecodingProblem {
    /// The error as it is if it knows its place, or as one that does.
    static func placed(_ error: any Error, _ kind: @autoclosure () -> Kind, at path: [any CodingKey]) -> any Error {
        switch error {
        case is DecodingProblem: error
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            DecodingProblem(.refused, at: path)
        case is DecodingError: error
        default: DecodingProblem(kind(), at: path)
        }
    }

    /// Runs the decoding of one primitive value: an error that is no decoding error is Foundation's own word for a
    /// number that does not fit.
    static func primitive<Value>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ decode: () throws -> Value
    ) throws -> Value {
        do { return try decode() } catch { throw placed(error, .unfit(type), at: path()) }
    }

    /// Runs the decoding of a value that Foundation decodes by its options.
    static func foundations<Value>(at path: @autoclosure () -> [any CodingKey], _ decode: () throws -> Value) throws
        -> Value
    {
        do { return try decode() } catch { throw placed(error, .refused, at: path()) }
    }
}
