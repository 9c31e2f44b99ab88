/// A number as written, taken apart: any count of digits, any power of ten.
struct DecimalDigits {
    let isNegative: Bool

    /// The number is a zero, however it is written.
    let isZero: Bool

    /// The number without its sign; `nil` if it has a fraction, or more than 128 bits.
    let wholeMagnitude: UInt128?

    init(_ bytes: UnsafePointer<UInt8>, count: Int) {
        isNegative = bytes[0] == UInt8(ascii: "-")
        var place = isNegative ? 1 : 0
        var value: UInt128 = 0
        // Zeros that no other digit has followed yet.
        var zeros = 0
        var power = 0
        var isBehindPoint = false
        var overflows = false
        digits: while place < count {
            switch bytes[place] {
            case UInt8(ascii: "."): isBehindPoint = true
            case UInt8(ascii: "0"):
                zeros += 1
                if isBehindPoint { power -= 1 }
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                if isBehindPoint { power -= 1 }
                let digit = UInt128(bytes[place] - UInt8(ascii: "0"))
                overflows = !Self.shift(&value, by: zeros + 1) || overflows
                zeros = 0
                let (sum, isOver) = value.addingReportingOverflow(digit)
                value = sum
                overflows = overflows || isOver
            default: break digits
            }
            place += 1
        }
        isZero = value == 0 && !overflows
        power += zeros
        if place < count {
            place += 1
            let isDown = bytes[place] == UInt8(ascii: "-")
            if isDown || bytes[place] == UInt8(ascii: "+") { place += 1 }
            var written = 0
            while place < count {
                // Beyond any number of digits that there are bytes for.
                if written < 1 << 40 { written = written * 10 + Int(bytes[place] - UInt8(ascii: "0")) }
                place += 1
            }
            power += isDown ? -written : written
        }
        if isZero {
            wholeMagnitude = 0
        } else if overflows || power < 0 || !Self.shift(&value, by: power) {
            wholeMagnitude = nil
        } else {
            wholeMagnitude = value
        }
    }

    /// Multiplies by a power of ten.
    ///
    /// - Returns: Whether the product fits.
    private static func shift(_ value: inout UInt128, by power: Int) -> Bool {
        guard value != 0 else { return true }
        guard power <= 39 else { return false }
        for _ in 0..<power {
            let (product, isOver) = value.multipliedReportingOverflow(by: 10)
            guard !isOver else { return false }
            value = product
        }
        return true
    }
}
