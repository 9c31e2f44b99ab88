/// What a page says about the one after it.
enum PageLink: Sendable, Hashable {
    /// Nothing: the server does not say how it pages.
    case unknown

    /// There is none.
    case last

    /// The URL of the next page, as it came.
    case url(String)
}
