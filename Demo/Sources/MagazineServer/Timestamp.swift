/// Moments as the API writes them: ISO 8601 with an offset or `Z`, with or without a fraction.
enum Timestamp {
    /// The microseconds from 1970 to that moment, the last digits kept: the API's own clock ticks in them.
    static func microseconds(_ text: String) -> Int? {
        var rest = text[...]
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2), skip(&rest, "T"), let hour = number(&rest, 2), skip(&rest, ":"),
            let minute = number(&rest, 2), skip(&rest, ":"), let second = number(&rest, 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var micros = 0
        if skip(&rest, ".") {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, let value = Int((digits + "000000").prefix(6)) else { return nil }
            micros = value
            rest = rest.dropFirst(digits.count)
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        let seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return seconds * 1_000_000 + micros
    }

    private static func offset(_ rest: inout Substring) -> Int? {
        if skip(&rest, "Z") { return 0 }
        let sign = skip(&rest, "-") ? -1 : (skip(&rest, "+") ? 1 : 0)
        guard sign != 0, let hours = number(&rest, 2), skip(&rest, ":"), let minutes = number(&rest, 2) else {
            return nil
        }
        return sign * (hours * 3600 + minutes * 60)
    }

    /// The days from 1970 to a date of the Gregorian calendar, years counted from March so that the leap day is last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        rest = rest.dropFirst(digits)
        return Int(text)
    }

    private static func skip(_ rest: inout Substring, _ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}
