/// A place in a distributed trace: what a `traceparent` field says (W3C Trace Context, section 3.2).
///
/// ```swift
/// let context = TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// show(context?.traceID)     // 4bf92f3577b34da6a3ce929d0e0e4736
/// ```
///
/// It says nothing about who asks or for what; its numbers are random.
public struct TraceContext: Sendable, Hashable {
    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let span: UInt64

    /// Whether whoever started the trace records it.
    public let isSampled: Bool

    /// Starts a trace.
    ///
    /// - Parameter isSampled: Whether it is recorded.
    public init(isSampled: Bool = true) {
        self.init(isSampled: isSampled) { .random(in: .min ... .max) }
    }

    /// Starts a trace with numbers made of the given bits.
    package init(isSampled: Bool, randomBits: () -> UInt64) {
        self.init(randomBits(), Self.number(randomBits), span: Self.number(randomBits), isSampled: isSampled)
    }

    private init(_ traceHigh: UInt64, _ traceLow: UInt64, span: UInt64, isSampled: Bool) {
        self.traceHigh = traceHigh
        self.traceLow = traceLow
        self.span = span
        self.isSampled = isSampled
    }

    /// Reads a `traceparent` field; `nil` if it is none.
    ///
    /// Of a version that is not known, what stands where version 00 has it is taken (section 3.2.4).
    public init?(_ traceparent: String) {
        let bytes = Array(traceparent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count == 55 || (bytes.count > 55 && bytes[55] == dash), bytes[2] == dash, bytes[35] == dash,
            bytes[52] == dash, let version = Self.number(bytes[0..<2]), version != 0xFF,
            version != 0 || bytes.count == 55, let high = Self.number(bytes[3..<19]),
            let low = Self.number(bytes[19..<35]), let span = Self.number(bytes[36..<52]),
            let flags = Self.number(bytes[53..<55]), high != 0 || low != 0, span != 0
        else { return nil }
        self.init(high, low, span: span, isSampled: flags & 1 == 1)
    }

    /// The trace's number, as 32 hexadecimal digits.
    public var traceID: String { String(description.dropFirst(3).prefix(32)) }

    /// The span's number, as 16 hexadecimal digits.
    public var spanID: String { String(description.dropFirst(36).prefix(16)) }

    /// A new span of the same trace, below this one.
    public func child() -> TraceContext {
        child { .random(in: .min ... .max) }
    }

    package func child(randomBits: () -> UInt64) -> TraceContext {
        TraceContext(traceHigh, traceLow, span: Self.number(randomBits), isSampled: isSampled)
    }

    /// A random number that is not 0, which stands for none.
    private static func number(_ randomBits: () -> UInt64) -> UInt64 { max(randomBits(), 1) }

    /// Reads hexadecimal digits in lower case (section 3.2.2).
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    /// Writes a number as 16 hexadecimal digits.
    private static func write(_ number: UInt64, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for place in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 0xF
            buffer[start + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }
}

extension TraceContext: CustomStringConvertible {
    /// The value of a `traceparent` field.
    public var description: String {
        String(unsafeUninitializedCapacity: 55) { buffer in
            let dash = UInt8(ascii: "-")
            let zero = UInt8(ascii: "0")
            for place in [0, 1, 53] { buffer[place] = zero }
            for place in [2, 35, 52] { buffer[place] = dash }
            Self.write(traceHigh, to: buffer, at: 3)
            Self.write(traceLow, to: buffer, at: 19)
            Self.write(span, to: buffer, at: 36)
            buffer[54] = isSampled ? zero + 1 : zero
            return 55
        }
    }
}
