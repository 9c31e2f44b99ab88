package import FoundationEssentials
import MastheadJSON

extension Date {
    /// Reads a date of a header field in any of the three forms of RFC 9110, section 5.6.7; `nil` for anything else.
    ///
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. Whether the day
    /// of the week is the right one is not looked at.
    ///
    /// - Parameters:
    ///   - text: The field's value.
    ///   - now: Decides the century of a year of two digits: one more than 50 years ahead is in the past.
    package init?(httpDate text: some StringProtocol, now: Date) {
        var reader = TimeReader(text)
        guard let time = reader.httpDate(now: now) else { return nil }
        self.init(timeIntervalSinceReferenceDate: Double(time.secondsSinceReferenceDate))
    }
}

extension TimeReader {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    fileprivate mutating func httpDate(now: Date) -> CivilTime? {
        let day = word()
        let time: CivilTime?
        if Self.longDays.contains(day) {
            time = rfc850(now: now)
        } else if Self.days.contains(day) {
            time = take(",") ? fixdate() : asctime()
        } else {
            return nil
        }
        guard let time, isAtEnd, time.isValid else { return nil }
        return time
    }

    private mutating func fixdate() -> CivilTime? {
        guard take(" "), let day = number(digits: 2), take(" "), let month = month(), take(" "),
            let year = number(digits: 4), take(" "), let time = clock(on: (year, month, day)), take(" "),
            word() == "GMT"
        else { return nil }
        return time
    }

    private mutating func rfc850(now: Date) -> CivilTime? {
        guard take(","), take(" "), let day = number(digits: 2), take("-"), let month = month(), take("-"),
            let shortYear = number(digits: 2), take(" "), let time = clock(on: (shortYear, month, day)), take(" "),
            word() == "GMT"
        else { return nil }
        let seconds = now.timeIntervalSinceReferenceDate
        guard seconds.magnitude < 1e11 else { return nil }
        let thisYear = CivilTime(secondsSinceReferenceDate: Int(seconds)).year
        var result = time
        result.year += thisYear - thisYear % 100
        if result.year > thisYear + 50 { result.year -= 100 }
        if result.year <= thisYear - 50 { result.year += 100 }
        return result
    }

    private mutating func asctime() -> CivilTime? {
        guard take(" "), let month = month(), take(" ") else { return nil }
        let day = take(" ") ? number(digits: 1) : number(digits: 2)
        guard let day, take(" "), var time = clock(on: (0, month, day)), take(" "), let year = number(digits: 4) else {
            return nil
        }
        time.year = year
        return time
    }

    private mutating func month() -> Int? {
        Self.months.firstIndex(of: word()).map { $0 + 1 }
    }

    private mutating func clock(on date: (year: Int, month: Int, day: Int)) -> CivilTime? {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), take(":"),
            let second = number(digits: 2)
        else { return nil }
        return CivilTime(
            year: date.year,
            month: date.month,
            day: date.day,
            hour: hour,
            minute: minute,
            second: second
        )
    }
}
