/// Reads dates and times from the front of a text.
struct TimeReader {
    private var bytes: Substring.UTF8View

    init(_ text: some StringProtocol) {
        bytes = Substring(text).utf8
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// Takes exactly that many digits.
    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = bytes.first, byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            bytes.removeFirst()
        }
        return value
    }

    /// Takes a byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: byte) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Takes the letters that come next.
    mutating func word() -> String {
        let letters = bytes.prefix { ($0 | 0x20).isASCIILowercaseLetter }
        bytes = bytes.dropFirst(letters.count)
        return String(Substring(letters))
    }

    /// Takes the digits that come next, as a fraction of one.
    mutating func fraction() -> Double? {
        let digits = bytes.prefix(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        bytes = bytes.dropFirst(digits.count)
        var value = 0
        var scale = 1
        // Beyond 15 digits nothing changes any more.
        for digit in digits.prefix(15) {
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
            scale *= 10
        }
        return Double(value) / Double(scale)
    }

    /// Takes the whole text as an ISO 8601 date; seconds since the start of 2001.
    mutating func iso8601() -> Double? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        var time = CivilTime(year: year, month: month, day: day)
        guard !isAtEnd else { return time.isValid ? Double(time.secondsSinceReferenceDate) : nil }
        guard take("T") || take("t") || take(" ") else { return nil }
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2) else { return nil }
        (time.hour, time.minute) = (hour, minute)
        var fraction = 0.0
        if take(":") {
            guard let second = number(digits: 2) else { return nil }
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

    /// Takes an offset from UTC in seconds; none is 0.
    private mutating func offset() -> Int? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        _ = take(" ")
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2), hours <= 23 else { return nil }
        var minutes = 0
        if !isAtEnd {
            _ = take(":")
            guard let value = number(digits: 2), value <= 59 else { return nil }
            minutes = value
        }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}
