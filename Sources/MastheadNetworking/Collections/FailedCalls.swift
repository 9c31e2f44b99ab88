/// What each of several calls failed with, when one that succeeds would have done.
///
/// ```swift
/// case .failure(let failed): report(failed.errors)
/// ```
public struct FailedCalls: Error, Sendable, CustomStringConvertible {
    /// The errors, in the order of the inputs; ``RepositoryError/cancelled`` for a call that was not made any more.
    public let errors: [RepositoryError]

    /// How many there are, and the first of them; without any secret.
    public var description: String {
        guard let first = errors.first else { return "no call to make" }
        return errors.count == 1 ? first.description : "\(errors.count) calls failed, the first: \(first)"
    }
}
