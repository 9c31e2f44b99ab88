public import MastheadNetworking

/// A ``StubExecutor`` had no answer for a request; it reaches the caller as `RepositoryError.customError`.
///
/// ```swift
/// if case .failure(.customError(let missing as MissingAnswer)) = result { print(missing) }
/// // no answer for GET /volumes/vol-7: looked for GET-volumes-vol-7 in Fixtures
/// ```
public struct MissingAnswer: CustomRepositoryError, Hashable, CustomStringConvertible {
    /// The request's method and its target below the configuration's base.
    public let request: String

    /// The names that were looked for, without their extensions, in order.
    public let names: [String]

    /// The folder that they were looked for in; `nil` if the answers are in memory.
    public let folder: String?

    /// The request, and where its answer should have been.
    public var description: String {
        "no answer for \(request): looked for \(names.joined(separator: ", then ")) in \(folder ?? "memory")"
    }
}
