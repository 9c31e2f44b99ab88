import MastheadSQLite

/// What holds what, in the parent's order: the statements on one of the tables that say so.
///
/// A statement per table and purpose, each a literal, so that it is found prepared without a look at its text.
struct LibraryRelation: Sendable {
    let name: String
    let children: SQL
    let parents: SQL
    let insert: SQL
    let clear: SQL
    let removeChild: SQL

    static let volumeAssets = LibraryRelation(
        name: "volume_asset",
        children: "SELECT child FROM volume_asset WHERE parent = ? ORDER BY placement",
        parents: "SELECT parent FROM volume_asset WHERE child = ?",
        insert: "INSERT INTO volume_asset (parent, placement, child) VALUES (?, ?, ?)",
        clear: "DELETE FROM volume_asset WHERE parent = ?",
        removeChild: "DELETE FROM volume_asset WHERE child = ?"
    )

    static let issueAssets = LibraryRelation(
        name: "issue_asset",
        children: "SELECT child FROM issue_asset WHERE parent = ? ORDER BY placement",
        parents: "SELECT parent FROM issue_asset WHERE child = ?",
        insert: "INSERT INTO issue_asset (parent, placement, child) VALUES (?, ?, ?)",
        clear: "DELETE FROM issue_asset WHERE parent = ?",
        removeChild: "DELETE FROM issue_asset WHERE child = ?"
    )

    static let articleAssets = LibraryRelation(
        name: "article_asset",
        children: "SELECT child FROM article_asset WHERE parent = ? ORDER BY placement",
        parents: "SELECT parent FROM article_asset WHERE child = ?",
        insert: "INSERT INTO article_asset (parent, placement, child) VALUES (?, ?, ?)",
        clear: "DELETE FROM article_asset WHERE parent = ?",
        removeChild: "DELETE FROM article_asset WHERE child = ?"
    )

    static let issueArticles = LibraryRelation(
        name: "issue_article",
        children: "SELECT child FROM issue_article WHERE parent = ? ORDER BY placement",
        parents: "SELECT parent FROM issue_article WHERE child = ?",
        insert: "INSERT INTO issue_article (parent, placement, child) VALUES (?, ?, ?)",
        clear: "DELETE FROM issue_article WHERE parent = ?",
        removeChild: "DELETE FROM issue_article WHERE child = ?"
    )

    static let volumeIssues = LibraryRelation(
        name: "volume_issue",
        children: "SELECT child FROM volume_issue WHERE parent = ? ORDER BY placement IS NULL, placement",
        parents: """
            SELECT parent FROM volume_issue WHERE child = ? ORDER BY volumePlacement IS NULL, volumePlacement, parent
            """,
        insert: "INSERT INTO volume_issue (parent, placement, child) VALUES (?, ?, ?)",
        clear: "DELETE FROM volume_issue WHERE parent = ?",
        removeChild: "DELETE FROM volume_issue WHERE child = ?"
    )

    /// What a parent holds, in its order.
    func children<Child>(
        of parent: String,
        _ connection: Connection
    ) throws(DatabaseError) -> [Identifier<Child>] {
        var found: [Identifier<Child>] = []
        try connection.each(children, binding: { $0.append(text: parent) }) { row in
            if found.isEmpty { found.reserveCapacity(4) }
            found.append(Identifier(row.text(0)))
            return true
        }
        return found
    }

    /// What holds a child.
    func parents<Parent>(
        of child: String,
        _ connection: Connection
    ) throws(DatabaseError) -> [Identifier<Parent>] {
        try connection.all(parents, child) { row in Identifier(row[0]) }
    }

    /// Lets a parent hold these children, in this order, and no others; each counts once.
    ///
    /// What is new holds nothing yet: who is deleted is taken out of all relations.
    ///
    /// - Returns: Whether that changed anything.
    @discardableResult
    func replace<Child>(
        _ new: [Identifier<Child>],
        of parent: String,
        isNew: Bool,
        _ connection: Connection
    ) throws(DatabaseError) -> Bool {
        guard !(isNew && new.isEmpty) else { return false }
        let new = new.unique()
        if !isNew {
            guard try children(of: parent, connection) != new else { return false }
            try connection.run(clear, parent)
        }
        for (index, child) in new.enumerated() {
            try connection.run(insert) { bindings in
                bindings.append(text: parent)
                bindings.append(integer: Int64(index + 1))
                bindings.append(text: child.rawValue)
            }
        }
        return true
    }
}
