/// Makes a tape of JSON (RFC 8259), strictly, in one pass and without recursion.
///
/// Strings and numbers are checked and stay in the bytes. No input makes it trap: what is no JSON ends in a
/// ``JSONSyntaxError`` and nesting is bounded.
struct TapeParser {
    /// An object of more members than this is not searched from name to name.
    static let manyMembers = 32

    /// An array or object that is not closed yet.
    struct Frame {
        /// Where it is on the tape.
        var start: Int
        var isObject: Bool
        var count: Int = 0
        /// A bit for each hash of a name.
        var names: UInt64 = 0
        var isIrregular = false
    }

    let bytes: UnsafePointer<UInt8>
    let count: Int
    let maximumDepth: Int
    let tape: Tape
    var index = 0

    /// The tape's own, at hand.
    private var words: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private var used = 0

    private var frame = Frame(start: 0, isObject: false)
    private var outer: [Frame] = []
    private var depth = 0

    init(_ bytes: UnsafePointer<UInt8>, count: Int, maximumDepth: Int) {
        self.bytes = bytes
        self.count = count
        self.maximumDepth = maximumDepth
        tape = Tape(capacity: max(32, count / 12))
        words = tape.words
        capacity = tape.capacity
    }

    /// Reads one whole value, and nothing after it.
    mutating func parse() throws(JSONSyntaxError) {
        guard count <= UInt32.max else { throw JSONSyntaxError(offset: 0, reason: "the JSON is longer than 4 GiB") }
        while true {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "{"):
                try open(isObject: true)
                if try next() == UInt8(ascii: "}") { break }
                try name()
                continue
            case UInt8(ascii: "["):
                try open(isObject: false)
                if try next() == UInt8(ascii: "]") { break }
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            case UInt8(ascii: "t"): try literal("true", .true)
            case UInt8(ascii: "f"): try literal("false", .false)
            case UInt8(ascii: "n"): try literal("null", .null)
            default: throw JSONSyntaxError(offset: index, reason: "no JSON value starts like this")
            }
            if try endsAfterValue() {
                tape.count = used
                return
            }
        }
    }

    /// Goes on to what follows a value, or an opening bracket with nothing behind it: the next value of the innermost
    /// container, after closing those that end there.
    private mutating func endsAfterValue() throws(JSONSyntaxError) -> Bool {
        // Whether the innermost container was opened and ends at once.
        var isEmpty = depth > 0 && used == frame.start + 2 && frame.count == 0
        while depth > 0 {
            if !isEmpty { frame.count &+= 1 }
            isEmpty = false
            let byte = try next()
            if byte == UInt8(ascii: ","), frame.count > 0 {
                index &+= 1
                guard frame.isObject else { return false }
                _ = try next()
                try name()
                return false
            }
            guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw JSONSyntaxError(
                    offset: index,
                    reason: frame.isObject ? "expected `,` or `}`" : "expected `,` or `]`"
                )
            }
            index &+= 1
            close()
        }
        skipWhitespace()
        if index < count { throw JSONSyntaxError(offset: index, reason: "something follows the JSON value") }
        return true
    }

    // MARK: - Structure

    @inline(__always) private mutating func skipWhitespace() {
        while index < count, bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index &+= 1
            default: return
            }
        }
    }

    /// The next byte that is no white space.
    @inline(__always) private mutating func next() throws(JSONSyntaxError) -> UInt8 {
        skipWhitespace()
        guard index < count else { throw JSONSyntaxError(offset: count, reason: "the JSON ends early") }
        return bytes[index]
    }

    @inline(__always) mutating func append(_ word: TapeWord) {
        if used == capacity { grow() }
        words[used] = word.bits
        used &+= 1
    }

    @inline(never) private mutating func grow() {
        tape.count = used
        tape.grow()
        words = tape.words
        capacity = tape.capacity
    }

    private mutating func open(isObject: Bool) throws(JSONSyntaxError) {
        guard depth < maximumDepth else {
            throw JSONSyntaxError(offset: index, reason: "nested deeper than \(maximumDepth) levels")
        }
        if depth > 0 { outer.append(frame) }
        depth &+= 1
        frame = Frame(start: used, isObject: isObject)
        append(TapeWord(isObject ? .object : .array, offset: index))
        append(TapeWord(bits: 0))
        index &+= 1
    }

    private mutating func close() {
        let isIrregular = frame.isObject && (frame.isIrregular || frame.count > Self.manyMembers)
        if isIrregular {
            let offset = TapeWord(bits: words[frame.start]).offset
            words[frame.start] = TapeWord(.irregularObject, offset: offset).bits
        }
        words[frame.start &+ 1] = UInt64(frame.count) << 32 | UInt64(used)
        depth &-= 1
        if let last = outer.popLast() { frame = last }
    }

    /// Takes a member's name and the colon behind it.
    private mutating func name() throws(JSONSyntaxError) {
        guard bytes[index] == UInt8(ascii: "\"") else {
            throw JSONSyntaxError(offset: index, reason: "expected a member's name in quotes")
        }
        let place = used
        try string()
        if index < count, bytes[index] == UInt8(ascii: ":") {
            index &+= 1
        } else {
            guard try next() == UInt8(ascii: ":") else { throw JSONSyntaxError(offset: index, reason: "expected `:`") }
            index &+= 1
        }
        if !frame.isIrregular, frame.count < Self.manyMembers { note(place) }
    }

    /// Sees whether a name is one that the object has already, or may be equal to one without having its bytes.
    @inline(__always) private mutating func note(_ place: Int) {
        let word = TapeWord(bits: words[place])
        guard word.kind == .ascii else { return frame.isIrregular = true }
        let bit = (1 as UInt64) << hash(word)
        if frame.names & bit != 0, isRepeated(word, before: place) { frame.isIrregular = true }
        frame.names |= bit
    }

    /// Six bits made of a name's length, its first and its last bytes.
    @inline(__always) private func hash(_ word: TapeWord) -> UInt64 {
        let (start, length) = (word.offset, word.length)
        var mixed: UInt64
        if length >= 8 {
            mixed = UTF8Bytes.word(bytes, start) ^ (UTF8Bytes.word(bytes, start &+ length &- 8) &* 31)
        } else if start &+ 8 <= count {
            mixed = UTF8Bytes.word(bytes, start) & ((1 as UInt64) << (8 &* UInt64(length)) &- 1)
        } else {
            mixed = 0
            for place in start..<start + length { mixed = mixed << 8 | UInt64(bytes[place]) }
        }
        mixed ^= UInt64(length)
        return (mixed &* 0x9E37_79B9_7F4A_7C15) >> 58
    }

    private func isRepeated(_ name: TapeWord, before place: Int) -> Bool {
        var other = frame.start + 2
        while other < place {
            let word = TapeWord(bits: words[other])
            if word.length == name.length,
                UTF8Bytes.areEqual(bytes + word.offset, bytes + name.offset, count: name.length)
            {
                return true
            }
            other = tape.index(after: other + 1)
        }
        return false
    }
}

extension UTF8Bytes {
    @inline(__always) static func areEqual(
        _ left: UnsafePointer<UInt8>,
        _ right: UnsafePointer<UInt8>,
        count: Int
    ) -> Bool {
        var index = 0
        while index &+ 8 <= count {
            if word(left, index) != word(right, index) { return false }
            index &+= 8
        }
        while index < count {
            if left[index] != right[index] { return false }
            index &+= 1
        }
        return true
    }
}

extension Tape {
    /// Where the value after the one there is.
    @inline(__always) func index(after index: Int) -> Int {
        TapeWord(bits: words[index]).isContainer ? Int(truncatingIfNeeded: words[index &+ 1] & 0xFFFF_FFFF) : index &+ 1
    }
}
