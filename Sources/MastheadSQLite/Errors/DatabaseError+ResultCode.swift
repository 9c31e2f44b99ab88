import CMastheadSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension DatabaseError {
    /// Reads an extended result code.
    ///
    /// - Parameters:
    ///   - code: The code that a call gave.
    ///   - systemError: The `errno` of the system call that failed, if it was one.
    ///   - statement: The statement, for the report of what no other case says.
    ///   - offset: Where in the statement's text the error is, in bytes.
    init(code: Int32, systemError: Int32 = 0, statement: SQL? = nil, offset: Int? = nil) {
        switch (code & 0xFF, code) {
        case (SQLITE_FULL, _):
            self = .full
        case (SQLITE_IOERR, _) where [ENOSPC, EDQUOT, EFBIG].contains(systemError):
            self = .full
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _):
            self = .damaged(reason: Self.text(of: code))
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _), (SQLITE_PROTOCOL, _):
            self = .busy
        case (_, masthead_sqlite3_readonly_moved):
            self = .cannotOpen(reason: "the file was moved or removed")
        case (SQLITE_READONLY, _):
            self = .readOnly
        case (SQLITE_CANTOPEN, _), (SQLITE_PERM, _):
            self = .cannotOpen(reason: Self.text(of: code, systemError: systemError))
        case (SQLITE_INTERRUPT, _):
            self = .cancelled
        case (SQLITE_CONSTRAINT, _):
            self = .constraint(Constraint(code: code))
        default:
            var message = Self.text(of: code, systemError: systemError)
            if let text = statement?.literal { message += " in: \(text)" }
            if let offset { message += " (at byte \(offset))" }
            self = .failed(code: Int(code), message: message)
        }
    }

    /// A call of the system that failed.
    static func system(_ code: Int32) -> Self {
        let reason =
            switch code {
            case ENOENT: "its folder is not there"
            case ENOTDIR: "what should be its folder is a file"
            case EACCES, EPERM, EROFS: "the system does not permit it"
            case EMFILE, ENFILE: "too many files are open"
            default: "the system refuses it"
            }
        return [ENOSPC, EDQUOT].contains(code) ? .full : .cannotOpen(reason: "\(reason) (errno \(code))")
    }

    static var noThread: Self { .cannotOpen(reason: "the system has no thread to give") }

    /// What SQLite was asked for that it cannot do, found before it was asked.
    static func misuse(_ message: String, statement: SQL? = nil) -> Self {
        .failed(code: Int(SQLITE_MISUSE), message: message + (statement?.literal.map { " in: \($0)" } ?? ""))
    }

    /// Only constant texts: `sqlite3_errmsg` may quote names and values.
    private static func text(of code: Int32, systemError: Int32 = 0) -> String {
        let text = String(cString: sqlite3_errstr(code))
        return systemError == 0 ? "\(text) [\(code)]" : "\(text) [\(code), errno \(systemError)]"
    }
}

extension DatabaseError.Constraint {
    init(code: Int32) {
        self =
            switch code {
            case masthead_sqlite3_constraint_check: .check
            case masthead_sqlite3_constraint_foreign_key: .foreignKey
            case masthead_sqlite3_constraint_not_null: .notNull
            case masthead_sqlite3_constraint_primary_key, masthead_sqlite3_constraint_row_id,
                masthead_sqlite3_constraint_unique:
                .unique
            default: .other
            }
    }
}
