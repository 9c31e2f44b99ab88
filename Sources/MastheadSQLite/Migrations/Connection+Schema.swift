import CMastheadSQLite

extension Connection {
    /// How a file stands to a schema.
    enum Standing {
        case current
        /// Steps are missing; a file without content counts too.
        case older
    }

    /// Compares the file with the schema, and writes nothing.
    func standing(to schema: Schema) throws(DatabaseError) -> Standing {
        if try version == schema.version, try owner == schema.applicationID { return .current }
        // What differs is read as of one moment: another process may be making the file.
        return try transaction(.reading) { () throws(DatabaseError) in try judge(by: schema) }
    }

    /// Refuses a file that a newer version of the program has changed meanwhile.
    func refuseNewer(than schema: Schema) throws(DatabaseError) {
        let version = try version
        guard version <= schema.version else { throw .newer(version: Int(version)) }
    }

    private func judge(by schema: Schema) throws(DatabaseError) -> Standing {
        let (version, owner) = (try version, try owner)
        if owner != schema.applicationID {
            guard owner == 0, version == 0, try value("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0 else {
                throw .cannotOpen(reason: "the file is another program's: application_id \(owner)")
            }
            return .older
        }
        guard version <= schema.version else { throw .newer(version: Int(version)) }
        return version < schema.version ? .older : .current
    }

    private var version: Int32 {
        get throws(DatabaseError) { Int32(truncatingIfNeeded: try value("PRAGMA user_version", as: Int.self) ?? 0) }
    }

    private var owner: Int32 {
        get throws(DatabaseError) { Int32(truncatingIfNeeded: try value("PRAGMA application_id", as: Int.self) ?? 0) }
    }

    /// Brings the file to the schema's version: whole, or not at all.
    ///
    /// A process that comes second waits, and finds it done.
    func migrate(to schema: Schema) throws(DatabaseError) {
        guard schema.isOrdered else { throw .misuse("the versions of the migrations do not ascend") }
        // Without effect within a transaction, hence around it.
        masthead_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        defer { masthead_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1) }
        try transaction(.writing) { () throws(DatabaseError) in
            guard try judge(by: schema) == .older else { return }
            let version = try version
            for migration in schema.migrations where migration.version > version {
                try migration.step(self)
            }
            let broken = try first("PRAGMA foreign_key_check") { _ in true }
            guard broken == nil else { throw .constraint(.foreignKey) }
            try execute(
                .dynamic("PRAGMA application_id=\(schema.applicationID);PRAGMA user_version=\(schema.version)")
            )
        }
    }
}
