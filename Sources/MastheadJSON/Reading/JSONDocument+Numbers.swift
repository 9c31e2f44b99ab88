import FoundationEssentials

extension JSONDocument {
    /// A whole number; one with a fraction of zeros or a power of ten is whole too.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ index: Int, _ type: T.Type) throws(Fault) -> T {
        let word = word(index)
        // Nineteen digits always fit.
        guard word.kind == .integer, word.length <= 19 else { return try longInteger(word, type) }
        var place = bytes + word.offset
        let end = place + word.length
        let isNegative = place.pointee == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var magnitude: UInt64 = 0
        while place < end {
            magnitude = magnitude &* 10 &+ UInt64(place.pointee &- UInt8(ascii: "0"))
            place += 1
        }
        // Eighteen digits at most behind a minus.
        let value = isNegative ? T(exactly: 0 &- Int64(truncatingIfNeeded: magnitude)) : T(exactly: magnitude)
        guard let value else { throw .unfit(type) }
        return value
    }

    /// Any number, by its digits: nothing is rounded.
    @inline(never)
    private func longInteger<T: FixedWidthInteger>(_ word: TapeWord, _ type: T.Type) throws(Fault) -> T {
        guard word.isNumber else { throw fault(word, type) }
        let number = DecimalDigits(bytes + word.offset, count: word.length)
        guard let magnitude = number.wholeMagnitude else { throw .unfit(type) }
        if !number.isNegative {
            guard let value = T(exactly: magnitude) else { throw .unfit(type) }
            return value
        }
        guard magnitude <= 1 << 127, let value = T(exactly: 0 &- Int128(truncatingIfNeeded: magnitude)) else {
            throw .unfit(type)
        }
        return value
    }

    /// The nearest number to what is written; an overflow, or zero for what is none, is none.
    @inline(__always)
    func double(_ index: Int) throws(Fault) -> Double {
        let word = word(index)
        if word.isNumber {
            if let value = shortDouble(word) { return value }
            return try longFloat(word, Double.self)
        }
        return try nonConforming(word, Double.self)
    }

    /// The nearest number to what is written.
    func float(_ index: Int) throws(Fault) -> Float {
        let word = word(index)
        guard word.isNumber else { return try nonConforming(word, Float.self) }
        // Exact in both steps: what fits 24 bits and is not scaled.
        if word.kind == .integer, word.length <= 7, let value = shortDouble(word) { return Float(value) }
        return try longFloat(word, Float.self)
    }

    /// A number whose digits fit 53 bits, and whose power of ten is exact too: one operation rounds, once.
    @inline(__always)
    private func shortDouble(_ word: TapeWord) -> Double? {
        var place = bytes + word.offset
        let end = place + word.length
        guard word.length <= 24 else { return nil }
        let isNegative = place.pointee == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var digits: UInt64 = 0
        var count = 0
        var power = 0
        while place < end, place.pointee.isASCIIDigit {
            digits = digits &* 10 &+ UInt64(place.pointee &- UInt8(ascii: "0"))
            count &+= 1
            place += 1
        }
        if place < end, place.pointee == UInt8(ascii: ".") {
            place += 1
            while place < end, place.pointee.isASCIIDigit {
                digits = digits &* 10 &+ UInt64(place.pointee &- UInt8(ascii: "0"))
                count &+= 1
                power &-= 1
                place += 1
            }
        }
        guard count <= 19, digits <= 1 << 53 else { return nil }
        if place < end {
            place += 1
            let isDown = place.pointee == UInt8(ascii: "-")
            if isDown || place.pointee == UInt8(ascii: "+") { place += 1 }
            var written = 0
            while place < end {
                written = written &* 10 &+ Int(place.pointee &- UInt8(ascii: "0"))
                if written > 1000 { return nil }
                place += 1
            }
            power &+= isDown ? -written : written
        }
        var value = Double(digits)
        if power < 0 {
            guard power >= -22 else { return nil }
            value /= Self.powersOfTen[-power]
        } else if power > 0 {
            guard power <= 22 else { return nil }
            value *= Self.powersOfTen[power]
        }
        return isNegative ? -value : value
    }

    @inline(never)
    private func longFloat<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ word: TapeWord,
        _ type: T.Type
    ) throws(Fault) -> T {
        guard let value = T(text(word)), value.isFinite,
            value != 0 || DecimalDigits(bytes + word.offset, count: word.length).isZero
        else { throw .unfit(type) }
        return value
    }

    @inline(never)
    private func nonConforming<T: BinaryFloatingPoint>(_ word: TapeWord, _ type: T.Type) throws(Fault) -> T {
        if word.isString, word.kind != .escaped,
            case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloats
        {
            let text = text(word).utf8
            if text.elementsEqual(positive.utf8) { return .infinity }
            if text.elementsEqual(negative.utf8) { return -.infinity }
            if text.elementsEqual(nan.utf8) { return .nan }
        }
        throw fault(word, type)
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
