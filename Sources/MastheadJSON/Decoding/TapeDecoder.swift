package import FoundationEssentials

/// Makes values of JSON: what Foundation's `JSONDecoder` does, without a dictionary for each object.
///
/// ```swift
/// var decoder = TapeDecoder()
/// decoder.dates = .internet
/// let list = try decoder.decode([Article].self, from: bytes)
/// ```
///
/// It reads the bytes once into a tape of one word for each value, and makes of them what a model asks for when it asks.
/// Errors have the cases and coding paths that Foundation's have; besides, a number that a type cannot hold and a value
/// that its strategy refuses tell where they are, and what is no JSON has a ``JSONSyntaxError`` beneath it. Of two members
/// with one name the first counts. Any number of tasks may decode with one at once.
package struct TapeDecoder: Sendable {
    /// How dates are written.
    package enum Dates: Sendable {
        /// As ``InternetDate`` reads them.
        case internet
        /// As one of Foundation's strategies has it.
        case foundation(JSONDecoder.DateDecodingStrategy)
    }

    /// How member names become keys.
    package var keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys

    /// How dates are written.
    package var dates: Dates = .foundation(.deferredToDate)

    /// How bytes are written.
    package var data: JSONDecoder.DataDecodingStrategy = .base64

    /// What stands for numbers that JSON has no spelling for.
    package var nonConformingFloats: JSONDecoder.NonConformingFloatDecodingStrategy = .throw

    /// What the app gives its models on the way.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// How deep arrays and objects may be nested.
    package var maximumDepth = 512

    /// Makes a decoder with Foundation's defaults.
    package init() {}

    /// Makes a value of UTF-8 without a byte order mark.
    package func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        try read(body) { document, root throws in try root.unwrap(0, type, .none) }
    }

    /// Decodes to learn what goes wrong.
    ///
    /// - Returns: The error, and the path to where it was thrown if it doesn't tell itself; `nil` if nothing goes wrong.
    package func failure<Value: Decodable>(
        of type: Value.Type,
        from body: Data
    ) -> (error: any Error, path: [any CodingKey])? {
        var path: [any CodingKey] = []
        do {
            _ = try read(body) { document, root throws in
                defer { path = document.failurePath ?? [] }
                return try root.unwrap(0, type, .none)
            }
            return nil
        } catch {
            return (error, path)
        }
    }

    /// Where and why bytes are no JSON; `nil` if they are one whole value.
    package func syntaxError(in body: Data) -> JSONSyntaxError? {
        body.withUnsafeBytes { raw in
            guard let base = raw.bindMemory(to: UInt8.self).baseAddress else {
                return JSONSyntaxError(offset: 0, reason: "the JSON ends early")
            }
            var parser = TapeParser(base, count: raw.count, maximumDepth: maximumDepth)
            do throws(JSONSyntaxError) { try parser.parse() } catch { return error }
            return nil
        }
    }

    /// Where the value of a coding path starts, in bytes; `nil` if there is none, or the bytes are no JSON.
    package func offset(of codingPath: [any CodingKey], in body: Data) -> Int? {
        try? read(body) { document, root in
            var decoder = root
            for key in codingPath {
                guard let index = decoder.child(key) else { return nil }
                decoder = TapeValueDecoder(document, at: index, under: decoder, .key(key))
            }
            let word = document.word(decoder.index)
            return word.isString ? word.offset - 1 : word.offset
        }
    }

    private func read<Value>(
        _ body: Data,
        _ value: (JSONDocument, TapeValueDecoder) throws -> Value
    ) throws -> Value {
        try body.withUnsafeBytes { raw in
            guard let base = raw.bindMemory(to: UInt8.self).baseAddress else {
                throw Self.invalid(JSONSyntaxError(offset: 0, reason: "the JSON ends early"))
            }
            var document: JSONDocument
            do throws(JSONSyntaxError) {
                document = try JSONDocument(base, count: raw.count, options: self)
            } catch {
                throw Self.invalid(error)
            }
            let result = Result { try value(document, TapeValueDecoder(document, at: 0, under: nil, .none)) }
            document.finish()
            // What a model kept of the decoder goes on working.
            if !isKnownUniquelyReferenced(&document) { document.keepBytes() }
            return try result.get()
        }
    }

    private static func invalid(_ error: JSONSyntaxError) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [],
                debugDescription: "The given data was not valid JSON.",
                underlyingError: error
            )
        )
    }
}
