/// A date as RFC 3339 and its relatives write it, read from bytes.
///
/// ```swift
/// InternetDate("2026-01-05T09:00:00.25+01:00".utf8)?.secondsSinceReferenceDate
/// ```
///
/// `2026-01-05T09:00:00Z`, with `t` or a space for the `T`, `z` for the `Z`, seconds or not, a fraction of any length
/// after `.` or `,`, an offset `+01:00`, `+0100` or `+01`, a space before it or not, or a date alone. Without an offset
/// it is UTC. The fraction is kept as far as `Double` goes, which is finer than a microsecond. A leap second is the
/// second after it.
package struct InternetDate: Sendable {
    /// Seconds since the start of 2001 in UTC.
    package let secondsSinceReferenceDate: Double

    /// Reads a date; `nil` for anything else.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return nil }
        var reader = Reader(bytes: base, end: bytes.count)
        guard let seconds = reader.date() else { return nil }
        secondsSinceReferenceDate = seconds
    }
}

extension InternetDate {
    private struct Reader {
        let bytes: UnsafePointer<UInt8>
        let end: Int
        var place = 0

        init(bytes: UnsafePointer<UInt8>, end: Int) {
            self.bytes = bytes
            self.end = end
        }

        private var isAtEnd: Bool { place == end }

        @inline(__always) private mutating func take(_ byte: Unicode.Scalar) -> Bool {
            guard place < end, bytes[place] == UInt8(ascii: byte) else { return false }
            place &+= 1
            return true
        }

        /// Takes two digits.
        @inline(__always) private mutating func pair() -> Int? {
            guard place &+ 2 <= end else { return nil }
            let (tens, units) = (bytes[place] &- UInt8(ascii: "0"), bytes[place &+ 1] &- UInt8(ascii: "0"))
            guard tens < 10, units < 10 else { return nil }
            place &+= 2
            return Int(tens) &* 10 &+ Int(units)
        }

        mutating func date() -> Double? {
            guard let century = pair(), let yearOfCentury = pair(), take("-"), let month = pair(), take("-"),
                let day = pair()
            else { return nil }
            var time = CivilTime(year: century * 100 + yearOfCentury, month: month, day: day)
            guard !isAtEnd else { return time.isValid ? Double(time.secondsSinceReferenceDate) : nil }
            guard take("T") || take("t") || take(" ") else { return nil }
            guard let hour = pair(), take(":"), let minute = pair() else { return nil }
            (time.hour, time.minute) = (hour, minute)
            var fraction = 0.0
            if take(":") {
                guard let second = pair() else { return nil }
                time.second = second
                if take(".") || take(",") {
                    guard let digits = self.fraction() else { return nil }
                    fraction = digits
                }
            }
            guard let offset = offset(), isAtEnd, time.isValid else { return nil }
            let seconds = time.secondsSinceReferenceDate - offset
            // A leap second ends a day of UTC, and nothing else.
            if time.second == 60, seconds % 86400 != 0 { return nil }
            return Double(seconds) + fraction
        }

        /// Takes the digits that come next, as a fraction of one.
        private mutating func fraction() -> Double? {
            let start = place
            var value = 0
            var scale = 1
            while place < end, bytes[place].isASCIIDigit {
                // Beyond 15 digits nothing changes any more.
                if place &- start < 15 {
                    value = value * 10 + Int(bytes[place] &- UInt8(ascii: "0"))
                    scale *= 10
                }
                place &+= 1
            }
            return place == start ? nil : Double(value) / Double(scale)
        }

        /// Takes an offset from UTC in seconds; none is 0.
        private mutating func offset() -> Int? {
            if isAtEnd || take("Z") || take("z") { return 0 }
            _ = take(" ")
            let isWest = take("-")
            guard isWest || take("+"), let hours = pair(), hours <= 23 else { return nil }
            var minutes = 0
            if !isAtEnd {
                _ = take(":")
                guard let value = pair(), value <= 59 else { return nil }
                minutes = value
            }
            return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
        }
    }
}
