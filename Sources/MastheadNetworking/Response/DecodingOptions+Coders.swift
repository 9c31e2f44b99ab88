package import FoundationEssentials
package import MastheadJSON

extension DecodingOptions {
    /// Our decoder, of these options.
    package func makeTapeDecoder() -> TapeDecoder {
        var decoder = TapeDecoder()
        if case .iso8601 = dates { decoder.dates = .internet } else { decoder.dates = .foundation(dateStrategy) }
        decoder.keys = keyStrategy
        decoder.data = dataStrategy
        decoder.nonConformingFloats = floatStrategy
        decoder.userInfo = userInfo
        return decoder
    }

    /// Foundation's decoder, of these options.
    package func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dateStrategy
        decoder.keyDecodingStrategy = keyStrategy
        decoder.dataDecodingStrategy = dataStrategy
        decoder.nonConformingFloatDecodingStrategy = floatStrategy
        decoder.userInfo = userInfo
        return decoder
    }

    /// An encoder of these options.
    package func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.dateEncodingStrategy =
            switch dates {
            case .iso8601: .custom(Self.encodeISO8601)
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            case .deferredToDate: .deferredToDate
            case .custom(_, let encode): .custom(encode)
            }
        encoder.keyEncodingStrategy =
            switch keys {
            case .asWritten: .useDefaultKeys
            case .convertFromSnakeCase: .convertToSnakeCase
            case .custom(_, let encode): .custom(encode)
            }
        encoder.dataEncodingStrategy =
            switch bytes {
            case .base64: .base64
            case .deferredToData: .deferredToData
            case .custom(_, let encode): .custom(encode)
            }
        encoder.nonConformingFloatEncodingStrategy =
            switch oddNumbers {
            case .refused: .throw
            case .strings(let positive, let negative, let nan):
                .convertToString(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
            }
        encoder.userInfo = userInfo
        return encoder
    }
}

// MARK: - Foundation's names for them

extension DecodingOptions {
    private var dateStrategy: JSONDecoder.DateDecodingStrategy {
        switch dates {
        case .iso8601: .custom(Self.decodeISO8601)
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .deferredToDate: .deferredToDate
        case .custom(let decode, _): .custom(decode)
        }
    }

    private var keyStrategy: JSONDecoder.KeyDecodingStrategy {
        switch keys {
        case .asWritten: .useDefaultKeys
        case .convertFromSnakeCase: .convertFromSnakeCase
        case .custom(let decode, _): .custom(decode)
        }
    }

    private var dataStrategy: JSONDecoder.DataDecodingStrategy {
        switch bytes {
        case .base64: .base64
        case .deferredToData: .deferredToData
        case .custom(let decode, _): .custom(decode)
        }
    }

    private var floatStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
        switch oddNumbers {
        case .refused: .throw
        case .strings(let positive, let negative, let nan):
            .convertFromString(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        }
    }

    private static let decodeISO8601: @Sendable (any Decoder) throws -> Date = { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Date(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The string is no ISO 8601 date.")
        }
        return date
    }

    private static let encodeISO8601: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
        var container = encoder.singleValueContainer()
        guard let text = date.iso8601 else {
            let context = EncodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "The date is not in the years 0 to 9999."
            )
            throw EncodingError.invalidValue(date, context)
        }
        try container.encode(text)
    }
}
