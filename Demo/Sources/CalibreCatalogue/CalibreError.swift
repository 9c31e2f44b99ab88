public import MastheadNetworking

/// What can be wrong with a book of a calibre server.
///
/// ```swift
/// case .failure(.customError(CalibreError.unknownBook)): showNotFound()
/// ```
public enum CalibreError: String, CustomRepositoryError {
    /// The server has no such book, or not in that format.
    case unknownBook

    /// What came is no EPUB: no ZIP archive whose first entry says so.
    case notAnEPUB
}
