public import MastheadNetworking

/// What the server says when it refuses an article.
///
/// ```swift
/// case .failure(.customError(ArticleError.unknownArticle)): showNotFound()
/// ```
public enum ArticleError: String, CustomRepositoryError {
    /// There is no such article: a 404, or an answer with no article in it.
    case unknownArticle

    /// The publisher took it back: a 410.
    case withdrawn
}
