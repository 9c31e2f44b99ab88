extension Purchase {
    /// What a purchase is of.
    ///
    /// ```swift
    /// if purchase.kind == .article { open(Article.ID(purchase.globalID)) }
    /// ```
    public enum Kind: Sendable, Hashable, RawRepresentable {
        /// An article.
        case article

        /// An issue.
        case issue

        /// A volume.
        case volume

        /// Anything else, in the record's own word; `""` if it does not say.
        case other(String)

        /// Reads the word of a record.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "article": .article
                case "issue": .issue
                case "volume": .volume
                default: .other(rawValue)
                }
        }

        /// The word of a record.
        public var rawValue: String {
            switch self {
            case .article: "article"
            case .issue: "issue"
            case .volume: "volume"
            case .other(let word): word
            }
        }
    }
}
