import FoundationEssentials
import MastheadJSON

/// How an app's values become bytes on disk: JSON that gives back exactly what went in.
enum ModelCoding {
    private static let direct = DirectEncoder(
        oddNumbers: .init(positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    )

    /// For what the other cannot write, and for errors.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return encoder
    }()

    private static let decoder: TapeDecoder = {
        var decoder = TapeDecoder()
        decoder.nonConformingFloats = .convertFromString(
            positiveInfinity: "+inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return decoder
    }()

    /// Writes the bytes of a value behind others; at an error they are as they were.
    static func encode(_ value: some Encodable, to bytes: inout [UInt8]) throws {
        do {
            try direct.encode(value, to: &bytes)
        } catch {
            bytes += try encoder.encode(value)
        }
    }

    /// The value of some bytes.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        try decoder.decode(type, from: body)
    }

    /// Why bytes did not become a value, for a report: nothing of what they say.
    static func failure(of type: Any.Type, _ error: any Error, in body: Data) -> DecodingFailure {
        let model = ModelName(type).text
        guard let text = try? BodyText(body, contentType: nil) else {
            return DecodingFailure(model: model, reason: "it is no text")
        }
        return DecodingFailure(model: model, .placed(error, at: []), in: text, decoder)
    }

    /// Why a value did not become bytes.
    static func reason(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "its encode(to:) threw" }
        let path = CodingPathText(context.codingPath).text
        return "\(path.isEmpty ? "the whole" : path) has a value that JSON has not"
    }
}
