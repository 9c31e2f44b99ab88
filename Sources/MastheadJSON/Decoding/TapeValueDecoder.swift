import FoundationEssentials

/// Decodes one value of a document.
///
/// Used anew for the next value when the model is done with it and has not kept it, so that a list costs no object for
/// each of its elements.
final class TapeValueDecoder: Decoder {
    let document: JSONDocument
    private(set) var index: Int
    /// The decoder of the value that this one stands in; of a spare one, the next spare one.
    var parent: TapeValueDecoder?
    private(set) var step: PathStep

    /// The name on the tape where the next search begins: models ask for members mostly in their order.
    var cursor: Int

    /// The members by name, for an object that is not searched from name to name.
    var members: [String: Int]?

    /// Whether those have each a name of its own, as it is written.
    var areDistinct = false

    /// The index of no value.
    static let missing = -1

    init(_ document: JSONDocument, at index: Int, under parent: TapeValueDecoder?, _ step: PathStep) {
        self.document = document
        self.index = index
        self.parent = parent
        self.step = step
        cursor = index + 2
    }

    @inline(__always) func reuse(at index: Int, under parent: TapeValueDecoder?, _ step: PathStep) {
        self.index = index
        self.parent = parent
        self.step = step
        cursor = index &+ 2
        if members != nil {
            members = nil
            areDistinct = false
        }
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: TapeValueDecoder? = self
        while let current = decoder {
            if let key = current.step.key { path.append(key) }
            decoder = current.parent
        }
        path.reverse()
        return path
    }

    var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

    /// The value is null, or a super decoder's that is not there.
    @inline(__always) var isNull: Bool { index < 0 || document.word(index).isNull }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard !isNull, document.word(index).isObject else { throw containerError([String: Any].self) }
        return KeyedDecodingContainer(KeyedTapeContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard !isNull, document.word(index).isArray else { throw containerError([Any].self) }
        return UnkeyedTapeContainer(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func containerError(_ type: Any.Type) -> DecodingError {
        error(isNull ? .null(type) : .mismatch(type), at: .none, index)
    }
}

// MARK: - Values within

extension TapeValueDecoder {
    /// Makes a value of any type; the step leads to it from this decoder's own.
    @inline(__always)
    func unwrap<T: Decodable>(_ index: Int, _ type: T.Type, _ step: @autoclosure () -> PathStep) throws -> T {
        // Those that Foundation's decoder makes itself, and those that are most often asked for.
        if type == String.self { return unsafeBitCast(try checked(index, step(), document.string), to: type) }
        if type == Int.self {
            return unsafeBitCast(
                try checked(index, step()) { (index) throws(Fault) in try document.integer(index, Int.self) },
                to: type
            )
        }
        if type == Date.self { return unsafeBitCast(try date(index, step()), to: type) }
        if type == URL.self { return unsafeBitCast(try checked(index, step(), document.url), to: type) }
        if type == Data.self { return unsafeBitCast(try bytes(index, step()), to: type) }
        if type == Decimal.self { return unsafeBitCast(try checked(index, step(), document.decimal), to: type) }
        if ObjectIdentifier(type) == document.stringList { return try strings(index, step(), as: type) }
        if !document.hasPlainKeys, let dictionary = type as? any StringKeyed.Type,
            let value = try dictionary.decode(from: self, index, step()) as? T
        {
            return value
        }
        return try within(index, step(), type.init(from:))
    }

    /// Runs the decoding of one value with a decoder of its own.
    @inline(__always)
    func within<T>(_ index: Int, _ step: PathStep, _ decode: (any Decoder) throws -> T) throws -> T {
        // A single value of this one's is at the same place: as the root is, and what it wraps.
        var decoder = document.decoder(at: index, under: self, step)
        do {
            let value = try decode(decoder)
            document.takeBack(&decoder)
            return value
        } catch {
            note(error, decoder)
            document.takeBack(&decoder)
            throw error
        }
    }

    /// Keeps where an error came from that doesn't tell itself; that of the innermost decoder stays.
    @inline(never)
    private func note(_ error: any Error, _ decoder: TapeValueDecoder) {
        switch error {
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: break
        case is DecodingError: return
        default: break
        }
        let path = decoder.codingPath
        if let known = document.failurePath, known.count > path.count { return }
        document.failurePath = path
    }

    @inline(__always)
    func checked<T>(
        _ index: Int,
        _ step: @autoclosure () -> PathStep,
        _ read: (Int) throws(Fault) -> T
    ) throws -> T {
        do throws(Fault) {
            guard index >= 0 else { throw T.self == Bool.self ? .mismatch(T.self) : .null(T.self) }
            return try read(index)
        } catch {
            throw self.error(error, at: step(), index)
        }
    }

    private func date(_ index: Int, _ step: PathStep) throws -> Date {
        if document.hasInternetDates { return try checked(index, step, document.internetDate) }
        switch document.options.dates {
        case .internet: return try checked(index, step, document.internetDate)
        case .foundation(let strategy):
            if index < 0 || document.word(index).isNull { throw error(.null(Date.self), at: step, index) }
            switch strategy {
            case .deferredToDate: return try within(index, step, Date.init(from:))
            case .secondsSince1970: return Date(timeIntervalSince1970: try checked(index, step, document.double))
            case .millisecondsSince1970:
                return Date(timeIntervalSince1970: try checked(index, step, document.double) / 1000)
            case .iso8601: return try checked(index, step, document.foundationDate)
            case .custom(let decode): return try within(index, step, decode)
            @unknown default: return try within(index, step, Date.init(from:))
            }
        }
    }

    private func bytes(_ index: Int, _ step: PathStep) throws -> Data {
        if index < 0 || document.word(index).isNull { throw error(.null(Data.self), at: step, index) }
        switch document.options.data {
        case .deferredToData: return try within(index, step, Data.init(from:))
        case .base64: return try checked(index, step, document.base64)
        case .custom(let decode): return try within(index, step, decode)
        @unknown default: return try checked(index, step, document.base64)
        }
    }

    /// Apart, so that nobody who wants something else looks for the metadata of an array.
    @inline(never)
    private func strings<T>(_ index: Int, _ step: PathStep, as type: T.Type) throws -> T {
        unsafeBitCast(try strings(index, step), to: type)
    }

    private func strings(_ index: Int, _ step: PathStep) throws -> [String] {
        let document = document
        guard index >= 0, document.word(index).isArray else {
            let isNull = index < 0 || document.word(index).isNull
            throw error(isNull ? .null([Any].self) : .mismatch([Any].self), at: step, index)
        }
        let count = document.elementCount(index)
        var strings: [String] = []
        strings.reserveCapacity(count)
        var element = index + 2
        do throws(Fault) {
            for _ in 0..<count {
                strings.append(try document.string(element))
                element += 1
            }
        } catch {
            // One level further down than this decoder's own values are.
            let array = TapeValueDecoder(document, at: index, under: self, step)
            throw array.error(error, at: .index(strings.count), element)
        }
        return strings
    }
}

// MARK: - Errors

extension TapeValueDecoder {
    /// The error of a value that is not what was wanted.
    @inline(never)
    func error(_ fault: Fault, at step: PathStep, _ index: Int) -> DecodingError {
        var path = codingPath
        if let key = step.key { path.append(key) }
        let found = index < 0 ? "null" : document.word(index).kind.name
        switch fault {
        case .null(let type):
            return .valueNotFound(type, context(path, "Expected \(type) but found null instead."))
        case .mismatch(let type):
            return .typeMismatch(type, context(path, "Expected to decode \(type) but found \(found) instead."))
        case .unfit(let type):
            return .dataCorrupted(context(path, "\(type) cannot hold this number.", UnfitNumber(type: type)))
        case .corrupted(let reason): return .dataCorrupted(context(path, reason))
        }
    }

    private func context(_ path: [any CodingKey], _ text: String, _ beneath: (any Error)? = nil)
        -> DecodingError.Context
    {
        DecodingError.Context(codingPath: path, debugDescription: text, underlyingError: beneath)
    }
}

extension TapeWord.Kind {
    fileprivate var name: String {
        switch self {
        case .null: "null"
        case .false, .true: "bool"
        case .integer, .real: "number"
        case .ascii, .text, .escaped: "a string"
        case .array: "an array"
        case .object, .irregularObject: "an object"
        }
    }
}
