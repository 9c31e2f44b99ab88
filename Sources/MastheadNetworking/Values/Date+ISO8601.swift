package import FoundationEssentials
import MastheadJSON

extension Date {
    /// Reads a date as RFC 3339 and its relatives write it, in any form of `InternetDate`; `nil` for anything else.
    package init?(iso8601 text: some StringProtocol) {
        var text = String(text)
        guard let date = text.withUTF8(InternetDate.init) else { return nil }
        self.init(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
    }

    /// The date as RFC 3339 in UTC, with none, three or six digits of a fraction, whichever loses no microsecond.
    ///
    /// `nil` outside of the years 0 to 9999, for which RFC 3339 has no spelling.
    package var iso8601: String? {
        let interval = timeIntervalSinceReferenceDate
        guard interval.magnitude < 1e12 else { return nil }
        var seconds = Int(interval.rounded(.down))
        var micros = Int(((interval - interval.rounded(.down)) * 1e6).rounded())
        if micros == 1_000_000 {
            seconds += 1
            micros = 0
        }
        let time = CivilTime(secondsSinceReferenceDate: seconds)
        guard time.isValid else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        bytes.append(time.year, digits: 4)
        bytes.append("-", time.month)
        bytes.append("-", time.day)
        bytes.append("T", time.hour)
        bytes.append(":", time.minute)
        bytes.append(":", time.second)
        if micros > 0 {
            bytes.append(UInt8(ascii: "."))
            let isMillis = micros % 1000 == 0
            bytes.append(isMillis ? micros / 1000 : micros, digits: isMillis ? 3 : 6)
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ mark: Unicode.Scalar, _ value: Int) {
        append(UInt8(ascii: mark))
        append(value, digits: 2)
    }

    fileprivate mutating func append(_ value: Int, digits: Int) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
