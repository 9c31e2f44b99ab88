/// One word of a tape: what a value is, and where it stands in the bytes.
///
/// Four bits of kind, 28 of length, 32 of offset. A string's place is behind its opening quote, and its length that of
/// what stands between the quotes, escapes as written. An array or an object has a second word: how many elements or
/// members it has, and where on the tape the value after it is, so that it can be skipped in one step.
struct TapeWord {
    enum Kind: UInt8 {
        case null, `false`, `true`
        /// A number of digits alone, perhaps with a minus.
        case integer
        /// A number with a fraction or a power of ten.
        case real
        /// A string of ASCII without escapes.
        case ascii
        /// A string without escapes that is not all ASCII.
        case text
        /// A string with escapes.
        case escaped
        case array
        /// An object of at most ``TapeParser/manyMembers`` different names, all of them plain ASCII.
        case object
        /// Any other object: names may come twice, be long in number, or be equal without having the same bytes.
        case irregularObject
    }

    /// The longest string or number that fits.
    static let maximumLength = 1 << 28 - 1

    let bits: UInt64

    @inline(__always) init(bits: UInt64) { self.bits = bits }

    @inline(__always) init(_ kind: Kind, offset: Int, length: Int = 0) {
        bits = UInt64(kind.rawValue) << 60 | UInt64(length) << 32 | UInt64(offset)
    }

    @inline(__always) var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits >> 60)) ?? .null }
    @inline(__always) var length: Int { Int(truncatingIfNeeded: (bits >> 32) & 0xFFF_FFFF) }
    @inline(__always) var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    @inline(__always) var isNull: Bool { bits >> 60 == UInt64(Kind.null.rawValue) }
    @inline(__always) var isString: Bool {
        let kind = bits >> 60
        return kind >= UInt64(Kind.ascii.rawValue) && kind <= UInt64(Kind.escaped.rawValue)
    }
    @inline(__always) var isEscaped: Bool { bits >> 60 == UInt64(Kind.escaped.rawValue) }
    @inline(__always) var isNumber: Bool {
        let kind = bits >> 60
        return kind == UInt64(Kind.integer.rawValue) || kind == UInt64(Kind.real.rawValue)
    }
    @inline(__always) var isPlainObject: Bool { bits >> 60 == UInt64(Kind.object.rawValue) }
    @inline(__always) var isObject: Bool { bits >> 60 >= UInt64(Kind.object.rawValue) }
    @inline(__always) var isArray: Bool { bits >> 60 == UInt64(Kind.array.rawValue) }
    @inline(__always) var isContainer: Bool { bits >> 60 >= UInt64(Kind.array.rawValue) }
}
