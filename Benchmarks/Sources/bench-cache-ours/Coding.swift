import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// What making JSON of the articles and articles of JSON takes by itself: by Foundation's encoder, which is what a program
/// without our cache has, and by a decoder set up as the cache's is.
enum Coding {
    private static let count = 5000

    /// What encoding one article takes, in microseconds.
    static func encodingMicroseconds() throws -> Double {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let articles = (0..<count).map(Article.long)
        return try microseconds(of: articles) { _ = try encoder.encode($0) }
    }

    /// What decoding one article takes, in microseconds.
    static func decodingMicroseconds() throws -> Double {
        let decoder = MastheadDecoder()
        var options = DecodingOptions()
        options.dates = .deferredToDate
        options.oddNumbers = .strings(positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let payloads = try (0..<count).map { try encoder.encode(Article.long($0)) }
        return try microseconds(of: payloads) { _ = try decoder.decode(Article.self, from: $0, options) }
    }

    private static func microseconds<Value>(of values: [Value], _ work: (Value) throws -> Void) rethrows -> Double {
        for value in values.prefix(count / 10) { try work(value) }
        let start = monotonicNanoseconds()
        for value in values { try work(value) }
        return Double(monotonicNanoseconds() - start) / 1e3 / Double(values.count)
    }
}
