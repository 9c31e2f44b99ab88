extension Database {
    /// Copies the database as it is at one moment into a file, while it is being read and written.
    ///
    /// The file appears whole, in place of one that was there, or not at all. Cancelling the task stops the copying.
    ///
    /// - Parameters:
    ///   - path: Where to; a file there must not be in use as a database.
    ///   - onProgress: Told how much is done, from 0 to 1.
    /// - Throws: `.cannotOpen` if the target is in use, `.full`, `.cancelled`, or what reading failed of.
    package func backUp(
        to path: String,
        onProgress: (@Sendable (Double) -> Void)? = nil
    ) async throws(DatabaseError) {
        let target = DatabaseFile(path: path)
        try await read { connection throws(DatabaseError) in
            try connection.copy(to: target, onProgress: onProgress ?? { _ in })
        }
    }

    /// How thoroughly a file is looked through.
    package enum IntegrityCheck: Sendable {
        /// All pages, but not whether the indexes agree with their tables.
        case quick
        case full
    }

    /// Reads the whole file and sees whether its content is in order.
    ///
    /// - Throws: `.damaged` with what was found first, if it is not.
    package func checkIntegrity(_ check: IntegrityCheck = .quick) async throws(DatabaseError) {
        try await read { connection throws(DatabaseError) in
            let findings: [String] =
                switch check {
                case .quick: try connection.all("PRAGMA quick_check(5)") { $0[0] }
                case .full: try connection.all("PRAGMA integrity_check(5)") { $0[0] }
                }
            guard findings != ["ok"] else { return }
            connection.noteDamage()
            throw .damaged(reason: findings.joined(separator: "; "))
        }
    }
}
