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
    private static var separator: StaticString { "\u{1F}" }

    /// One text of all words; `nil` for none.
    var column: String? { columnBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The same as UTF-8.
    var columnBytes: [UInt8]? { isEmpty ? nil : bytes(with: Self.separator) }

    init(column: String?) {
        var column = column ?? ""
        self = column.withUTF8 { Self(column: $0) }
    }

    /// Reads the bytes of a column.
    private init(column bytes: UnsafeBufferPointer<UInt8>) {
        self = bytes.split(separator: Self.separator.utf8Start.pointee).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All texts as UTF-8, one after the other with a separator between them: what `joined` does for characters.
    func bytes(with separator: StaticString) -> [UInt8] {
        let separator = UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(reduce(0) { $0 + $1.utf8.count + separator.count })
        for (index, part) in enumerated() {
            if index > 0 { bytes.append(contentsOf: separator) }
            bytes.append(contentsOf: part.utf8)
        }
        return bytes
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
