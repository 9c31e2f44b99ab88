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
        self = column?.split(separator: Self.separator).map(String.init) ?? []
    }
}

extension CustomMetadata {
    /// What stands in the columns `metadata` and `isMetadataText`.
    var column: (text: String?, isText: Bool) {
        isVerbatim ? (text, true) : (members.isEmpty ? nil : text, false)
    }

    init(column: String?, isText: Bool) {
        guard let column else {
            self.init()
            return
        }
        if isText {
            self.init(text: column)
        } else {
            let value = try? JSONText(Data(column.utf8)).value()
            self.init(value?.objectValue ?? [:])
        }
    }
}
