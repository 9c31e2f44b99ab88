extension RequestPath {
    /// Makes a path of a literal with values in it, each of which stays within its segment.
    public init(stringInterpolation: StringInterpolation) {
        self.init(stringInterpolation.builder)
    }

    /// Collects the parts of an interpolated path.
    ///
    /// What may be interpolated is text, a `LosslessStringConvertible` such as an `Int`, and a `RawRepresentable` over
    /// one, which typed ids are. Anything else does not compile, so no `Optional("7")` gets into a URL.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var builder = RequestPathBuilder()

        /// Starts a path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            builder.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Adds literal text, in which `/` separates segments.
        public mutating func appendLiteral(_ literal: String) {
            builder.appendLiteral(literal)
        }

        /// Adds text to the segment.
        public mutating func appendInterpolation(_ value: String) {
            builder.appendValue(value)
        }

        /// Adds text to the segment.
        public mutating func appendInterpolation(_ value: Substring) {
            builder.appendValue(value)
        }

        /// Adds a value's text to the segment.
        public mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
            builder.appendValue(value.description)
        }

        /// Adds a typed value's raw value to the segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            builder.appendValue(value.rawValue.description)
        }

        /// Adds a typed value's raw value to the segment.
        public mutating func appendInterpolation<Value: RawRepresentable & LosslessStringConvertible>(_ value: Value)
        where Value.RawValue: LosslessStringConvertible {
            builder.appendValue(value.rawValue.description)
        }
    }
}

/// Joins literals and values to a percent-encoded path, and notes the first thing that makes it impossible.
struct RequestPathBuilder: Sendable {
    private var bytes: [UInt8] = []
    private var segmentStart = 0
    private var segmentHasValue = false
    private var startsWithSlash = false
    private var problem: String?

    mutating func reserveCapacity(_ capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func appendLiteral(_ literal: String) {
        for byte in literal.utf8 {
            switch byte {
            case UInt8(ascii: "/"): endSegment()
            case UInt8(ascii: "?"): note("the path holds a `?`: give parameters as query")
            case UInt8(ascii: "#"): note("the path holds a `#`: a request has no fragment")
            default: append(byte, allowing: .segment)
            }
        }
    }

    mutating func appendValue(_ value: some StringProtocol) {
        segmentHasValue = true
        for byte in value.utf8 { append(byte, allowing: .segmentValue) }
    }

    consuming func finish() -> (encoded: String, problem: String?) {
        if bytes.count > segmentStart || segmentHasValue { checkSegment() }
        if bytes.isEmpty && startsWithSlash { bytes.append(UInt8(ascii: "/")) }
        return (String(decoding: bytes, as: UTF8.self), problem)
    }

    private mutating func append(_ byte: UInt8, allowing allowed: ASCIISet) {
        if byte.isControl { note("the path holds a control character") }
        bytes.append(byte, allowing: allowed)
    }

    private mutating func endSegment() {
        if bytes.isEmpty && !segmentHasValue && !startsWithSlash {
            startsWithSlash = true
            return
        }
        checkSegment()
        bytes.append(UInt8(ascii: "/"))
        segmentStart = bytes.count
        segmentHasValue = false
    }

    private mutating func checkSegment() {
        let segment = bytes[segmentStart...]
        if segment.isEmpty {
            note(segmentHasValue ? "a value for a segment of the path is empty" : "the path has an empty segment")
        } else if segment.count <= 2, segment.allSatisfy({ $0 == UInt8(ascii: ".") }) {
            note("the path has a `.` or `..` segment")
        }
    }

    private mutating func note(_ text: String) {
        if problem == nil { problem = text }
    }
}
