import FoundationEssentials
import MastheadJSON

/// What a decoder made of a document.
enum Outcome<Value> {
    case value(Value)
    case error(any Error)

    init(_ decode: () throws -> Value) {
        do { self = .value(try decode()) } catch { self = .error(error) }
    }
}

/// A type, and how the two decoders are compared over it.
struct Candidate: Sendable {
    let name: String
    let sample: @Sendable (inout SeededGenerator) -> Sample
    /// `nil` if both agree or differ by a rule, or how they differ; and the rule.
    let compare: @Sendable (Data, Strategies) -> (difference: String?, rule: Rule?)

    /// Compares them over a type; in any order if it has a dictionary in it, or goes through all keys that there are.
    init<Value: Decodable & Equatable & SendableMetatype>(_ type: Value.Type, anyOrder: Bool = false) {
        name = "\(type)"
        let anyOrder = anyOrder || name.contains("Dictionary")
        sample = { InventingDecoder.sample(of: Value.self, using: &$0) }
        compare = { bytes, strategies in
            let ours = Outcome { try strategies.ours.decode(Value.self, from: bytes) }
            let theirs = Outcome { try strategies.foundations.decode(Value.self, from: bytes) }
            return Comparison.of(ours, theirs, bytes, anyOrder: anyOrder)
        }
    }
}

/// A difference that is meant.
enum Rule: String, CaseIterable, Sendable {
    /// A number that a type cannot hold: both say so, and ours says where.
    case placedNumber
    /// A whole number is one exactly: with a fraction beyond what `Double` can tell it is none, and it isn't rounded.
    case exactInteger
    /// What isn't JSON (RFC 8259) is refused, also where nobody asks for it.
    case wholeGrammar
    /// A date that is none: both say so, and ours says where.
    case placedDate
    /// Of several members of a dictionary that are wrong, ours tells of the document's first, and Foundation's of any.
    case firstMember
}

enum Comparison {
    /// A value in words, in which what is no number is like itself; a date that is none has no description.
    private static func text(of value: Any) -> String {
        if let date = value as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? "") \(text(of: $0.value))" }
        if children.isEmpty { return "\(value)" }
        return
            "(\((value is any Sequence && !(value is any RandomAccessCollection) ? children.sorted() : children).joined(separator: ", ")))"
    }

    static func of<Value: Equatable>(
        _ ours: Outcome<Value>,
        _ theirs: Outcome<Value>,
        _ bytes: Data,
        anyOrder: Bool
    ) -> (difference: String?, rule: Rule?) {
        switch (ours, theirs) {
        case (.value(let left), .value(let right)):
            if left == right || text(of: left) == text(of: right) { return (nil, nil) }
            return ("\(text(of: left)) and not \(text(of: right))", nil)
        case (.error(let left), .value(let right)):
            if left.syntaxError != nil, !Grammar.accepts(Array(bytes)) { return (nil, .wholeGrammar) }
            // A type that tries another kind then fails with that.
            if !Grammar.isExact(bytes) { return (nil, .exactInteger) }
            return ("\(left) and not \(text(of: right))", nil)
        case (.value(let left), .error(let right)):
            if right.isNoJSON, !Grammar.isExact(bytes) { return (nil, .exactInteger) }
            return ("\(text(of: left)) and not \(right)", nil)
        case (.error(let left), .error(let right)):
            if left.told == right.told { return (nil, nil) }
            if left.isUnfitNumber, right.isNoJSON { return (nil, .placedNumber) }
            if left.isUnfitNumber, !Grammar.isExact(bytes) { return (nil, .exactInteger) }
            if left.syntaxError != nil, !Grammar.accepts(Array(bytes)) { return (nil, .wholeGrammar) }
            if left.isDate, right.isDate { return (nil, .placedDate) }
            if anyOrder, left.parts(from: right) || right.isNoJSON { return (nil, .firstMember) }
            return ("\(left.told) and not \(right.told)", nil)
        }
    }
}

extension Error {
    private var decoding: DecodingError? { self as? DecodingError }

    var context: DecodingError.Context? {
        switch decoding {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            context
        default: nil
        }
    }

    var syntaxError: JSONSyntaxError? { context?.underlyingError as? JSONSyntaxError }

    fileprivate var isUnfitNumber: Bool { context?.underlyingError is UnfitNumber }

    fileprivate var isNoJSON: Bool {
        guard case .dataCorrupted(let context)? = decoding else { return false }
        return context.codingPath.isEmpty && context.debugDescription.contains("not valid JSON")
    }

    fileprivate var isDate: Bool {
        guard case .dataCorrupted(let context)? = decoding else { return false }
        return context.debugDescription.contains("ISO")
    }

    /// Whether the paths of two errors part at a member, and not at an element.
    fileprivate func parts(from other: any Error) -> Bool {
        guard let left = context?.codingPath, let right = other.context?.codingPath else { return false }
        let step = zip(left, right).first { $0.stringValue != $1.stringValue }
        return step.map { !$0.stringValue.hasPrefix("Index ") && !$1.stringValue.hasPrefix("Index ") } ?? false
    }

    /// The case and the coding path.
    fileprivate var told: String {
        func path(_ path: [any CodingKey]) -> String {
            path.map { "\($0.stringValue)/\($0.intValue.map(String.init) ?? "")" }.joined(separator: ".")
        }
        return switch decoding {
        case .dataCorrupted(let context): "corrupted at \(path(context.codingPath))"
        case .keyNotFound(let key, let context): "no \(path([key])) at \(path(context.codingPath))"
        case .typeMismatch(let type, let context): "no \(type) at \(path(context.codingPath))"
        case .valueNotFound(let type, let context): "null for \(type) at \(path(context.codingPath))"
        default: "\(self)"
        }
    }
}

/// One choice of each strategy, for both decoders.
struct Strategies: Sendable {
    let name: String
    let ours: TapeDecoder
    let foundations: JSONDecoder

    init(_ name: String, _ configure: (JSONDecoder) -> Void) {
        self.name = name
        let decoder = JSONDecoder()
        if let key = Models.Informed.key { decoder.userInfo[key] = 7 }
        configure(decoder)
        foundations = decoder
        var ours = TapeDecoder()
        ours.keys = decoder.keyDecodingStrategy
        ours.dates = .foundation(decoder.dateDecodingStrategy)
        ours.data = decoder.dataDecodingStrategy
        ours.nonConformingFloats = decoder.nonConformingFloatDecodingStrategy
        ours.userInfo = decoder.userInfo
        self.ours = ours
    }

    static let all = [
        Strategies("defaults") { _ in },
        Strategies("seconds, odd floats") {
            $0.dateDecodingStrategy = .secondsSince1970
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+inf",
                negativeInfinity: "-inf",
                nan: "nan"
            )
        },
        Strategies("snake case, ISO 8601") {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .iso8601
            $0.dataDecodingStrategy = .deferredToData
        },
        Strategies("custom") {
            $0.keyDecodingStrategy = .custom { path in
                Models.AnyKey(stringValue: (path.last?.stringValue ?? "").lowercased())
            }
            $0.dateDecodingStrategy = .custom { decoder in
                Date(timeIntervalSince1970: Double(try decoder.singleValueContainer().decode(String.self).count))
            }
            $0.dataDecodingStrategy = .custom { decoder in
                Data(try decoder.singleValueContainer().decode(String.self).utf8)
            }
        },
        Strategies("milliseconds") { $0.dateDecodingStrategy = .millisecondsSince1970 },
    ]
}
