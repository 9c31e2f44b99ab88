public import MastheadNetworking

/// A recorded answer could not be read or written; it reaches the caller as `RepositoryError.customError`.
///
/// ```swift
/// if case .failure(.customError(let answer as UnusableAnswer)) = result { print(answer) }
/// // the recorded answer GET-volumes.http: its first line is no status line
/// ```
public struct UnusableAnswer: CustomRepositoryError, Hashable, CustomStringConvertible {
    /// The file's name.
    public let file: String

    /// What is wrong with it.
    public let reason: String

    /// The file, and what is wrong with it.
    public var description: String { "the recorded answer \(file): \(reason)" }
}
