import Foundation

extension [Double] {
    /// The middle of the sorted values, or the mean of the two in the middle; `nil` of none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}

extension Double {
    /// The value with so many significant digits, as JSON writes it: no exponent, no `.0`.
    func rounded(toDigits digits: Int) -> String {
        guard self != 0, isFinite else { return "0" }
        let decimals = max(0, digits - 1 - Int(log10(magnitude).rounded(.down)))
        let text = String(format: "%.\(decimals)f", self)
        guard text.contains(".") else { return text }
        let trimmed = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(trimmed.reversed())
    }
}
