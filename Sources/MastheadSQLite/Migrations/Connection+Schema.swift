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
        let version = try value("PRAGMA user_version", as: Int.self) ?? 0
        let owner = try value("PRAGMA application_id", as: Int.self) ?? 0
        if owner != Int(schema.applicationID) {
            guard owner == 0, version == 0, try value("SELECT count(*) FROM sqlite_schema", as: Int.self) == 0 else {
                throw .cannotOpen(reason: "the file is another program's: application_id \(owner)")
            }
            return .older
        }
        guard version <= Int(schema.version) else { throw .newer(version: version) }
        return version < Int(schema.version) ? .older : .current
    }

    /// The same from one snapshot: a migration by another connection may be committed at any moment.
    func snapshotStanding(to schema: Schema) throws(DatabaseError) -> Standing {
        try transaction(.reading) { () throws(DatabaseError) in try standing(to: schema) }
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
            guard try standing(to: schema) == .older else { return }
            let version = try value("PRAGMA user_version", as: Int.self) ?? 0
            for migration in schema.migrations where Int(migration.version) > version {
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
