public import FoundationEssentials

/// What a request carries.
///
/// ```swift
/// .post("bookmarks", body: .json(bookmark))
/// .post("login", body: .form(["user": name, "password": password]))
/// ```
public struct RequestBody: Sendable {
    /// Makes the bytes; called once for each call of the repository, off the caller's actor.
    let encode: @Sendable (NetworkingConfiguration) throws -> Data

    /// The `Content-Type` that goes with it, unless the request has one of its own; `nil` sends none.
    public let contentType: String?

    /// Bytes as they are.
    public static func data(_ data: Data, contentType: String?) -> RequestBody {
        RequestBody(encode: { _ in data }, contentType: contentType)
    }
}
