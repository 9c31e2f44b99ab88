import MastheadSQLite

/// What an article says besides its long text: as it is, or as a library's row has it until somebody changes something.
struct ArticleTexts: Sendable {
    /// Which short text: in the order of the columns in a library, after which come the keywords and the metadata.
    enum Name: Int, CaseIterable {
        case sku, title, slug, summary, authorName, authorURL, authorBio, sharingURL, section, type, commentary
    }

    private struct Values: Hashable, Sendable {
        var texts: [String?]
        var keywords: [String]
        var metadata: CustomMetadata
    }

    private enum Form: Sendable {
        case read(Values)
        case stored(RowTexts, isMetadataText: Bool)
    }

    private var form: Form

    /// Takes what an article says, with the short texts in the order of their names.
    init(_ texts: [String?], keywords: [String], metadata: CustomMetadata) {
        form = .read(Values(texts: texts, keywords: keywords, metadata: metadata))
    }

    /// Takes the columns of a row, of which each is read when somebody asks for it.
    init(stored row: RowTexts, isMetadataText: Bool) {
        form = .stored(row, isMetadataText: isMetadataText)
    }

    /// One short text; `nil` where there is none.
    subscript(name: Name) -> String? {
        get {
            switch form {
            case .read(let values): values.texts[name.rawValue]
            case .stored(let row, _): row[name.rawValue]
            }
        }
        set { change { $0.texts[name.rawValue] = newValue } }
    }

    /// The words to find it by.
    var keywords: [String] {
        get {
            switch form {
            case .read(let values): values.keywords
            case .stored(let row, _): [String](column: row[Name.allCases.count])
            }
        }
        set { change { $0.keywords = newValue } }
    }

    /// What the publisher says beyond the fixed fields.
    var metadata: CustomMetadata {
        get {
            switch form {
            case .read(let values): values.metadata
            case .stored(let row, let isText): CustomMetadata(column: row[Name.allCases.count + 1], isText: isText)
            }
        }
        set { change { $0.metadata = newValue } }
    }

    private var values: Values {
        switch form {
        case .read(let values): values
        case .stored: Values(texts: Name.allCases.map { self[$0] }, keywords: keywords, metadata: metadata)
        }
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = values
        // Nobody else has them now, so that they are not copied.
        form = .read(Values(texts: [], keywords: [], metadata: [:]))
        change(&values)
        form = .read(values)
    }
}

extension ArticleTexts: Hashable {
    /// Whether they say the same, wherever they come from.
    static func == (left: Self, right: Self) -> Bool {
        if case .stored(let row, let isText) = left.form, case .stored(row, isText) = right.form { return true }
        return left.values == right.values
    }

    /// Hashes what is compared.
    func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}

extension ArticleTexts: CustomStringConvertible {
    /// What it says, whether it has been read or not.
    var description: String { "\(values)" }
}
