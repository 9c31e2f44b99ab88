/// A moment as calendar and clock of UTC show it, by the Gregorian calendar's rules for all years.
package struct CivilTime: Sendable, Hashable {
    /// The year, from 0 to 9999 in a valid one.
    package var year: Int
    /// The month, from 1 on.
    package var month: Int
    /// The day, from 1 on.
    package var day: Int
    /// The hour.
    package var hour: Int = 0
    /// The minute.
    package var minute: Int = 0
    /// The second.
    package var second: Int = 0

    /// Seconds from the start of 1970 to the start of 2001, where `Date` counts from.
    private static let referenceDate = 978_307_200

    /// Whether there is such a day, and such a time in it; a second may be 60 (a leap second).
    package var isValid: Bool {
        (0...9999).contains(year) && (1...12).contains(month) && (1...Self.days(of: month, in: year)).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
    }

    /// Seconds since 2001 in UTC.
    package var secondsSinceReferenceDate: Int {
        daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - Self.referenceDate
    }

    /// Days since 1970: eras of 400 years, in which the year starts in March, so that a leap day is its last.
    private var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Makes a moment of its parts, right or wrong.
    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The reverse of ``secondsSinceReferenceDate``.
    package init(secondsSinceReferenceDate seconds: Int) {
        let total = seconds + Self.referenceDate
        let days = total >= 0 ? total / 86400 : (total - 86399) / 86400
        let rest = total - days * 86400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
