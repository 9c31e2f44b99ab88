extension Purchase {
    /// How a purchase was made.
    ///
    /// ```swift
    /// let restorable = purchases.filter { $0.mode == .inApp }
    /// ```
    public enum Mode: Sendable, Hashable, RawRepresentable {
        /// In the app, through a store; `IAP` in records.
        case inApp

        /// On the publisher's site; `Web` in records.
        case web

        /// Anything else, in the record's own word; `""` if it does not say.
        case other(String)

        /// Reads the word of a record.
        public init(rawValue: String) {
            self =
                switch rawValue {
                case "IAP": .inApp
                case "Web": .web
                default: .other(rawValue)
                }
        }

        /// The word of a record.
        public var rawValue: String {
            switch self {
            case .inApp: "IAP"
            case .web: "Web"
            case .other(let word): word
            }
        }
    }
}
