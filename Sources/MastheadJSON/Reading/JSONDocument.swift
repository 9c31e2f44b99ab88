import FoundationEssentials

/// What a decoding works on: the bytes, their tape, and how to read them.
///
/// It belongs to one decoding, and so to one task.
final class JSONDocument {
    /// The bytes; lent by the caller until ``keepBytes()``.
    private(set) var bytes: UnsafePointer<UInt8>
    let count: Int
    let tape: Tape
    let options: TapeDecoder

    /// The user's own information, as a decoder hands it out.
    let userInfo: [CodingUserInfoKey: Any]

    /// Where an error that doesn't say so itself was thrown first.
    var failurePath: [any CodingKey]?

    /// Names as the app's strategy makes them of the names as written.
    var convertedNames: [String: String] = [:]

    /// Names are keys as they are written.
    let hasPlainKeys: Bool

    /// Dates are read from their bytes.
    let hasInternetDates: Bool

    /// `[String]`, known once: to ask for a generic type's identity costs more than to decode a number.
    let stringList = ObjectIdentifier([String].self)

    private var kept: UnsafeMutablePointer<UInt8>?
    private var spare: TapeValueDecoder?
    private var isOver = false

    init(_ bytes: UnsafePointer<UInt8>, count: Int, options: TapeDecoder) throws(JSONSyntaxError) {
        self.bytes = bytes
        self.count = count
        self.options = options
        if options.userInfo.isEmpty { userInfo = [:] } else { userInfo = options.userInfo.mapValues { $0 as Any } }
        hasPlainKeys = options.keys.isDefault
        if case .internet = options.dates { hasInternetDates = true } else { hasInternetDates = false }
        var parser = TapeParser(bytes, count: count, maximumDepth: options.maximumDepth)
        try parser.parse()
        tape = parser.tape
    }

    deinit { kept?.deallocate() }

    /// Takes a copy of the bytes for decoders and containers that outlive the call.
    func keepBytes() {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        copy.update(from: bytes, count: count)
        kept = copy
        bytes = UnsafePointer(copy)
    }

    @inline(__always) func word(_ index: Int) -> TapeWord { TapeWord(bits: tape.words[index]) }

    /// How many elements or members an array or object has.
    @inline(__always) func elementCount(_ index: Int) -> Int { Int(truncatingIfNeeded: tape.words[index &+ 1] >> 32) }

    // MARK: - Decoders

    /// A decoder of a value, one that was used before if there is one.
    @inline(__always)
    func decoder(at index: Int, under parent: TapeValueDecoder?, _ step: PathStep) -> TapeValueDecoder {
        guard let decoder = spare else {
            return TapeValueDecoder(self, at: index, under: parent, step)
        }
        spare = decoder.parent
        decoder.reuse(at: index, under: parent, step)
        return decoder
    }

    /// Takes a decoder back that its user is done with, unless somebody kept it.
    @inline(__always)
    func takeBack(_ decoder: inout TapeValueDecoder) {
        guard !isOver, isKnownUniquelyReferenced(&decoder) else { return }
        decoder.parent = spare
        spare = decoder
    }

    /// Ends the decoding: the spare decoders are given up, which hold on to this object.
    func finish() {
        isOver = true
        while let decoder = spare {
            spare = decoder.parent
            decoder.parent = nil
        }
    }
}
