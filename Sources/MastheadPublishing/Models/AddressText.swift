import FoundationEssentials

/// An address as a text, made a `URL` only for whoever wants one: that takes longer than reading an article.
struct AddressText: Sendable, Hashable {
    /// The text; `nil` for none.
    private(set) var text: String?

    /// Takes what is known to be an address.
    init(text: String?) {
        self.text = text
    }

    init(_ url: URL?) {
        text = url?.absoluteString
    }

    /// The address.
    var url: URL? {
        get { text.flatMap { URL(string: $0) } }
        set { text = newValue?.absoluteString }
    }
}
