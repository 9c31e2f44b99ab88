import MastheadSQLite

/// Why a unit of work is undone: by the database, or by a rule of the library's own.
enum LibraryRefusal: Error {
    case database(DatabaseError)
    case library(LibraryError)
}
