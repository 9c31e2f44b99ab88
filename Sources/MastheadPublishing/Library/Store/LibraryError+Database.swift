import MastheadSQLite

extension LibraryError {
    /// What an error of the database's means to an app.
    init(_ error: DatabaseError) {
        self =
            switch error {
            case .full: .full
            case .damaged(let reason): .damaged(reason: reason)
            case .busy: .busy
            case .newer: .newerVersion
            case .cancelled: .cancelled
            case .closed: .closed
            case .cannotOpen(let reason): .unavailable(reason: reason)
            case .readOnly: .unavailable(reason: "the file or its folder may only be read")
            case .constraint: .unavailable(reason: "the file's form is not the one expected")
            case .failed(let code, let message): .unavailable(reason: "SQLite says \(code): \(message)")
            }
    }
}
