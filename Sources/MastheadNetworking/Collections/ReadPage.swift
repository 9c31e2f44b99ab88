/// A page that was read, for whoever decides what comes next.
///
/// ```swift
/// .custom { page in page.body.more ? .query(["after": .string(page.body.cursor)]) : .last }
/// ```
public struct ReadPage<Body: Sendable>: Sendable {
    /// What the answer decoded to.
    public let body: Body

    /// The header fields of the answer.
    public let headers: HTTPHeaders

    /// Which page of the iteration it is; the first is 1.
    public let number: Int

    /// How many elements it has.
    public let count: Int

    /// How many elements it and those before it have.
    public let total: Int
}
