public import MastheadNetworking

/// What the server says when it refuses an issue.
///
/// ```swift
/// case .failure(.customError(IssueError.unknownIssue)): showNotFound()
/// ```
public enum IssueError: String, CustomRepositoryError {
    /// There is no such issue: a 404, or an answer with no issue in it.
    case unknownIssue

    /// The publisher took it back: a 410.
    case withdrawn
}
