import FoundationEssentials
import MastheadNetworking
import MastheadSQLite

// How the values of models stand in columns.

extension Date {
    /// The number that stands for it, to the last bit.
    var column: Double { timeIntervalSinceReferenceDate }

    init?(column: Double?) {
        guard let column else { return nil }
        self.init(timeIntervalSinceReferenceDate: column)
    }
}

extension URL {
    init?(column: String?) {
        guard let column else { return nil }
        self.init(string: column)
    }
}

extension SKU {
    init?(column: String?) {
        guard let column else { return nil }
        self.init(column)
    }
}

extension Identifier {
    init?(column: String?) {
        guard let column else { return nil }
        self.init(column)
    }
}

extension [String] {
    /// What stands between two words; a word that holds it itself is cut there.
    private static var separator: Character { "\u{1F}" }

    /// One text of all words; `nil` for none.
    var column: String? { isEmpty ? nil : joined(separator: String(Self.separator)) }

    init(column: String?) {
        guard var column else {
            self = []
            return
        }
        self = column.withUTF8 { Self(column: UnsafeRawBufferPointer($0)) }
    }

    /// Reads the bytes of a column, of which there are none where NULL stands.
    init(column bytes: UnsafeRawBufferPointer) {
        self = []
        guard !bytes.isEmpty else { return }
        reserveCapacity(4)
        let bytes = bytes.assumingMemoryBound(to: UInt8.self)
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == 0x1F {
            let word = UnsafeBufferPointer(rebasing: bytes[start..<end])
            if !word.isEmpty { append(String(decoding: word, as: UTF8.self)) }
            start = end + 1
        }
    }
}

extension CustomMetadata {
    /// What stands in the columns `metadata` and `isMetadataText`.
    var column: (text: String?, isText: Bool) {
        isVerbatim ? (text, true) : (isEmpty ? nil : text, false)
    }

    init(column: String?, isText: Bool) {
        guard let column else {
            self.init()
            return
        }
        self.init(stored: column, isText: isText)
    }
}
