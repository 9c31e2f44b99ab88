import FoundationEssentials
import Glibc
import MastheadNetworking

/// The dates of JSON and of header fields.
func checkDates(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let date = Date(iso8601: text) {
        claim(years(0...9999, contain: date, tolerance: 86400), "a date is of the years that have a spelling")
        if date.iso8601 != nil { checkSpelling(of: date) }
    }
    for now in [0, 1_767_225_600, 253_402_300_799, -62_167_219_200].map({ Date(timeIntervalSince1970: $0) }) {
        guard let date = Date(httpDate: text, now: now) else { continue }
        claim(years(0...9999, contain: date, tolerance: 1), "a header's date is of the years that have a spelling")
        let seconds = date.timeIntervalSince1970
        claim(seconds == seconds.rounded(), "a header's date has whole seconds")
        guard date.iso8601 != nil else { continue }
        checkSpelling(of: date)
        claim(Date(httpDate: fixdate(of: date), now: now) == date, "its preferred form reads the same")
    }
}

/// That a date, written down, reads the same, and that the C library has the same calendar.
private func checkSpelling(of date: Date) {
    guard let text = date.iso8601 else { return }
    guard let again = Date(iso8601: text) else { return claim(false, "what is written can be read: \(text)") }
    claim(abs(again.timeIntervalSince(date)) < 2e-6, "what is written reads the same: \(text)")
    var time = broken(text)
    claim(Double(timegm(&time)) == again.timeIntervalSince1970.rounded(.down), "the C library agrees: \(text)")
}

/// The preferred form of a header's date (RFC 9110, section 5.6.7), by the C library.
private func fixdate(of date: Date) -> String {
    var time = tm()
    var seconds = time_t(date.timeIntervalSince1970)
    gmtime_r(&seconds, &time)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func padded(_ number: Int32, _ width: Int = 2) -> String {
        String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    return "\(days[Int(time.tm_wday)]), \(padded(time.tm_mday)) \(months[Int(time.tm_mon)]) "
        + "\(padded(time.tm_year + 1900, 4)) \(padded(time.tm_hour)):\(padded(time.tm_min)):\(padded(time.tm_sec)) GMT"
}

/// The numbers of `2026-01-05T09:00:00…`.
private func broken(_ text: String) -> tm {
    let numbers = text.utf8.prefix(19).split { !(0x30...0x39).contains($0) }.compactMap { Int32(Substring($0)) }
    var time = tm()
    guard numbers.count == 6 else { return time }
    (time.tm_year, time.tm_mon, time.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[3], numbers[4], numbers[5])
    return time
}

private func years(_ years: ClosedRange<Int>, contain date: Date, tolerance: Double) -> Bool {
    (-62_167_219_200 - tolerance...253_402_300_800 + tolerance).contains(date.timeIntervalSince1970)
}
