/// What kept a database from doing what it was asked, by what can be done about it.
///
/// No case carries a value that was stored or bound: at most SQLite's own constant text and the text of a statement that
/// stands in the source code.
package enum DatabaseError: Error, Sendable, Hashable {
    /// No space is left: on the disk, in the user's quota, or within the bound of the file. Nothing was changed.
    case full
    /// The file is no database, or one whose content contradicts itself. Move it aside: see ``Database/quarantine()``.
    case damaged(reason: String)
    /// Another connection or process held the file for longer than was waited for. Try again later.
    case busy
    /// A newer version of the program made the file; this one must not touch it.
    case newer(version: Int)
    /// The file cannot be opened: no such folder, no permission, another program's file.
    case cannotOpen(reason: String)
    /// The file, or this connection to it, is for reading only.
    case readOnly
    /// The task that waited was cancelled, and what it asked for was not done.
    case cancelled
    /// A row would break a rule of the schema.
    case constraint(Constraint)
    /// The database was closed.
    case closed
    /// Anything else: SQLite's extended result code, and what it means.
    case failed(code: Int, message: String)

    /// Whether a connection that met it must not be used again.
    var endsConnection: Bool {
        switch self {
        case .damaged, .cannotOpen, .newer: true
        default: false
        }
    }

    /// The kind of rule of the schema that a row would have broken.
    package enum Constraint: Sendable, Hashable {
        case check
        case foreignKey
        case notNull
        /// A primary key or another unique index.
        case unique
        case other
    }
}
