import FoundationEssentials

extension JSONDocument {
    /// The fault of a value that is of the wrong kind.
    @inline(never) func fault(_ word: TapeWord, _ type: Any.Type) -> Fault {
        word.isNull ? .null(type) : .mismatch(type)
    }

    @inline(__always) func bool(_ index: Int) throws(Fault) -> Bool {
        switch word(index).kind {
        case .true: return true
        case .false: return false
        default: throw .mismatch(Bool.self)
        }
    }

    @inline(__always) func string(_ index: Int) throws(Fault) -> String {
        let word = word(index)
        guard word.isString else { throw fault(word, String.self) }
        return text(word)
    }

    /// What a string says, its escapes undone.
    @inline(__always) func text(_ word: TapeWord) -> String {
        if word.kind == .escaped { return unescaped(word) }
        return String(decoding: UnsafeBufferPointer(start: bytes + word.offset, count: word.length), as: UTF8.self)
    }

    @inline(never) private func unescaped(_ word: TapeWord) -> String {
        let end = word.offset + word.length
        return String(unsafeUninitializedCapacity: word.length) { buffer in
            var place = word.offset
            var count = 0
            while place < end {
                let byte = bytes[place]
                if byte != UInt8(ascii: "\\") {
                    buffer[count] = byte
                    place += 1
                    count += 1
                    continue
                }
                let letter = bytes[place + 1]
                place += 2
                switch letter {
                case UInt8(ascii: "b"): buffer[count] = 0x08
                case UInt8(ascii: "f"): buffer[count] = 0x0C
                case UInt8(ascii: "n"): buffer[count] = 0x0A
                case UInt8(ascii: "r"): buffer[count] = 0x0D
                case UInt8(ascii: "t"): buffer[count] = 0x09
                case UInt8(ascii: "u"):
                    // At most three bytes of UTF-8 for the six of an escape, and four for the twelve of two.
                    let scalar = scalar(at: &place)
                    for unit in String(scalar).utf8 {
                        buffer[count] = unit
                        count += 1
                    }
                    continue
                default: buffer[count] = letter
                }
                count += 1
            }
            return count
        }
    }

    /// The character whose four digits are next; the parser has checked them.
    private func scalar(at place: inout Int) -> Unicode.Scalar {
        let first = unit(at: &place)
        if let scalar = Unicode.Scalar(first) { return scalar }
        place += 2
        let second = unit(at: &place)
        return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)) ?? "\u{FFFD}"
    }

    private func unit(at place: inout Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            value = value << 4 | UInt32(bytes[place].hexadecimalDigit ?? 0)
            place += 1
        }
        return value
    }

    // MARK: - Values that are written as strings or numbers

    func url(_ index: Int) throws(Fault) -> URL {
        let word = word(index)
        guard !word.isNull else { throw .null(URL.self) }
        guard let url = URL(string: try string(index)) else { throw .corrupted("The string is no URL.") }
        return url
    }

    func decimal(_ index: Int) throws(Fault) -> Decimal {
        let word = word(index)
        guard word.isNumber else { throw fault(word, Decimal.self) }
        if word.kind == .integer, word.length <= 18, let value = Decimal(exactly: try integer(index, Int64.self)) {
            return value
        }
        guard let value = Decimal(string: text(word)), !value.isNaN else { throw .unfit(Decimal.self) }
        return value
    }

    func base64(_ index: Int) throws(Fault) -> Data {
        let word = word(index)
        guard !word.isNull else { throw .null(Data.self) }
        guard let data = Data(base64Encoded: try string(index)) else { throw .corrupted("The string is no Base64.") }
        return data
    }

    /// A date as ``InternetDate`` reads it.
    func internetDate(_ index: Int) throws(Fault) -> Date {
        let word = word(index)
        guard word.isString else { throw word.isNull ? .null(Date.self) : .mismatch(String.self) }
        let seconds: Double?
        if word.kind == .escaped {
            var text = text(word)
            seconds = text.withUTF8 { InternetDate($0)?.secondsSinceReferenceDate }
        } else {
            seconds =
                InternetDate(UnsafeBufferPointer(start: bytes + word.offset, count: word.length))?
                .secondsSinceReferenceDate
        }
        guard let seconds else { throw .corrupted("The string is no ISO 8601 date.") }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// A date as Foundation's decoder reads it with `.iso8601`: whole seconds and an offset.
    func foundationDate(_ index: Int) throws(Fault) -> Date {
        let word = word(index)
        guard word.isString else { throw word.isNull ? .null(Date.self) : .mismatch(String.self) }
        // What both read alike goes the short way.
        if word.kind == .ascii, word.length == 20, bytes[word.offset + 10] == UInt8(ascii: "T"),
            bytes[word.offset + 19] == UInt8(ascii: "Z"), bytes[word.offset + 16] == UInt8(ascii: ":"),
            bytes[word.offset + 17] < UInt8(ascii: "6"), bytes[word.offset] != UInt8(ascii: "0"),
            let date = InternetDate(UnsafeBufferPointer(start: bytes + word.offset, count: word.length))
        {
            return Date(timeIntervalSinceReferenceDate: date.secondsSinceReferenceDate)
        }
        guard let date = try? Date.ISO8601FormatStyle().parse(text(word)) else {
            throw .corrupted("The string is no ISO 8601 date of whole seconds.")
        }
        return date
    }
}
