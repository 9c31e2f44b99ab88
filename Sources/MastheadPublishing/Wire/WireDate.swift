import FoundationEssentials
import MastheadNetworking

/// Dates as the publisher writes them: ISO 8601 with a numeric offset.
enum WireDate {
    /// The date of a text in any of the forms of ISO 8601 and its relatives; `nil` for anything else.
    static func date(of text: String) -> Date? {
        Date(iso8601: text)
    }

    /// The text of a date, down to the microsecond, in UTC; empty outside of the years 0 to 9999.
    static func text(of date: Date) -> String {
        guard let text = date.iso8601 else { return "" }
        return text.replacing("Z", with: "+00:00")
    }
}
