/// How much of what a library holds can be searched.
///
/// ```swift
/// try await library.buildIndex { show("index \($0.percent) % built") }
/// ```
public struct IndexState: Sendable, Hashable {
    /// How many articles there are.
    public let articles: Int

    /// How many of them are to be indexed still: what was changed meanwhile is found by what it said before.
    public let pending: Int

    /// How much is done, in whole hundredths: 100 only when all of it is, as in an empty library.
    public var percent: Int {
        pending == 0 ? 100 : (articles - pending) * 100 / max(1, articles)
    }

    /// Whether everything is found as it is.
    public var isComplete: Bool { pending == 0 }
}
