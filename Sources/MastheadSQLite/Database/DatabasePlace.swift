/// Where a database is and how its connections are made: what the writer and the readers share.
struct DatabasePlace: Sendable {
    let file: DatabaseFile
    let schema: Schema?
    let options: DatabaseOptions
    /// The wish that everything should stop, since the file goes.
    let end = Interruption()
    let damage: DamageRecord

    init(file: DatabaseFile, schema: Schema?, options: DatabaseOptions) {
        self.file = file
        self.schema = schema
        self.options = options
        damage = DamageRecord(file)
    }

    /// What an error means to who waits: what was stopped since the file goes was not cancelled.
    func meaning(of error: DatabaseError) -> DatabaseError {
        error == .cancelled && end.isWished ? .closed : error
    }

    /// Opens the connection that writes; makes the file and brings it to the schema's version first.
    func openWriter() throws(DatabaseError) -> Connection {
        try options.whenOpening?()
        try file.create()
        let connection = try Connection.open(file.path, options: options, end: end, damage: damage)
        let standing = try schema.map { (schema) throws(DatabaseError) in try connection.standing(to: schema) }
        if standing == .older || schema == nil, try connection.value("PRAGMA page_count", as: Int.self) == 0 {
            try connection.execute(.dynamic("PRAGMA page_size=\(options.pageSize)"))
        }
        try connection.prepare(for: .writing, options: options)
        try connection.retryingWhileBusy { () throws(DatabaseError) in try connection.run("PRAGMA journal_mode=WAL") }
        connection.watchLog()
        if let schema, standing == .older {
            try connection.migrate(to: schema)
            // What a migration has deleted is not to live on in the log.
            if options.erasesDeleted { _ = connection.checkpoint(.truncate) }
        }
        return connection
    }

    /// Opens a connection that reads.
    ///
    /// - Returns: The connection; `nil` if the file must be made or migrated first.
    func openReader(patience: Int) throws(DatabaseError) -> Connection? {
        guard file.exists else { return nil }
        let connection = try Connection.open(file.path, options: options, end: end, damage: damage)
        connection.patience = patience
        if let schema {
            guard try connection.standing(to: schema) == .current else { return nil }
        }
        try connection.prepare(for: .reading, options: options)
        connection.sight = FileSight(file.path)
        return connection
    }
}
