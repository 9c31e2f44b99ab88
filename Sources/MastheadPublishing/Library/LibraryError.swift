public import MastheadNetworking

/// Why the library could not do something: each case is a different thing to do.
///
/// ```swift
/// do {
///     try await library.apply { $0.delete(issue: "i1") }
/// } catch .purchased {
///     askWhetherToDeleteAnyway()
/// } catch .full {
///     showDiskIsFull()            // nothing was changed
/// }
/// ```
///
/// No reason holds what was stored: no title, no text, no id of a reader.
@nonexhaustive
public enum LibraryError: Error, Sendable {
    /// The disk is full, or the quota is; nothing was changed. Make room and do it again.
    case full

    /// The file's content contradicts itself. Nothing was removed: see ``Library/setDamagedAside(in:)``.
    case damaged(reason: String)

    /// Another process held the file for longer than is waited for. Try again later.
    case busy

    /// A later version of the app has made the file; it was left alone. Have the reader update the app.
    case newerVersion

    /// The folder or the file cannot be used; the reason says what to change.
    case unavailable(reason: String)

    /// It was bought, so it is deleted only by force; nothing was changed.
    case purchased(LibraryItem)

    /// The publisher's server did not give what was asked for; what was stored before is still there.
    case catalogue(RepositoryError)

    /// The library was closed.
    case closed

    /// The task was cancelled before it was done; nothing was changed.
    case cancelled
}

extension LibraryError: CustomStringConvertible {
    /// What happened, in one line for a log.
    public var description: String {
        switch self {
        case .full: "the disk is full"
        case .damaged(let reason): "the library's file is damaged: \(reason)"
        case .busy: "another process holds the library's file"
        case .newerVersion: "a later version of the app made the library"
        case .unavailable(let reason): "the library cannot be used: \(reason)"
        case .purchased(let item): "\(item) was bought and is deleted only by force"
        case .catalogue(let error): "the catalogue could not be read: \(error)"
        case .closed: "the library was closed"
        case .cancelled: "cancelled"
        }
    }
}
