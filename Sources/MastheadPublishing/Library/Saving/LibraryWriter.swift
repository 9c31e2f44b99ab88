import MastheadSQLite

/// Does one unit of work within the transaction that it is given.
struct LibraryWriter {
    let connection: Connection

    /// When what articles say can be searched.
    let indexing: LibraryChanges.Indexing

    /// What it has touched so far.
    var marks: LibraryMarks = []

    /// Whether there are files to remove after the commit.
    var hasDoomedFiles = false

    /// What was removed because nothing named it any more.
    var removed: [LibraryItem] = []

    /// Articles that say something else since something that they show does.
    var staleTexts: Set<Int64> = []

    /// The least number of an article that was not there before: a new one gets a greater number than any that is there.
    var firstNewArticle: Int64?

    /// Whether articles are taken for such as stand on their own until it is known whether an issue holds them.
    ///
    /// Either way all is right in the end, and what was guessed right need not be written twice.
    let expectsLoners: Bool

    init(_ connection: Connection, _ changes: LibraryChanges = LibraryChanges()) {
        self.connection = connection
        indexing = changes.indexing
        expectsLoners = changes.steps.allSatisfy(\.isOfContents)
    }

    mutating func run(_ step: LibraryChanges.Step) throws(LibraryRefusal) {
        if let item = step.protectedItem, try database({ () throws(DatabaseError) in try isPurchased(item) }) {
            throw .library(.purchased(item))
        }
        do throws(DatabaseError) {
            switch step {
            case .saveVolumes(let volumes): for volume in volumes { try save(volume) }
            case .saveIssues(let issues): for issue in issues { try save(issue) }
            case .saveArticles(let articles): for article in articles { try save(article) }
            case .saveAssets(let assets): for asset in assets { try save(asset) }
            case .setFeatured(let isFeatured, let article, let issue): try setFeatured(isFeatured, article, in: issue)
            case .setPurchased(let isPurchased, let item): try setPurchased(isPurchased, item)
            case .deleteVolume(let id, let isForced): try delete(volume: id, isForced: isForced)
            case .deleteIssue(let id, let isForced): try delete(issue: id, isForced: isForced)
            case .deleteArticles(let id, let isForced): try delete(articlesOf: id, isForced: isForced)
            case .deleteArticle(let id, _): try delete(article: id)
            case .deleteAsset(let id): try delete(asset: id)
            case .letStandAlone(let articles): try letStandAlone(articles)
            case .prune(let remnants): try prune(remnants)
            case .setMark(let date, let catalogue): try setMark(date, of: catalogue)
            }
        } catch {
            throw .database(error)
        }
    }

    private func database<Output>(
        _ body: () throws(DatabaseError) -> Output
    ) throws(LibraryRefusal) -> Output {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw .database(error)
        }
    }

    /// Does what can be done only when all of it is there.
    mutating func finish() throws(LibraryRefusal) {
        do throws(DatabaseError) {
            try markLoners()
            if indexing == .later, let firstNewArticle {
                try TextIndex(connection: connection).postpone(from: firstNewArticle)
            }
            for number in staleTexts.sorted() { try indexAnew(number) }
        } catch {
            throw .database(error)
        }
    }

    /// Sees to it that an article that is there is found by what it says now.
    func indexAnew(_ number: Int64) throws(DatabaseError) {
        let index = TextIndex(connection: connection)
        switch indexing {
        case .atOnce:
            try index.update(number)
            try index.settle(number)
        case .later: try index.postpone(number)
        }
    }

    /// Notes which of the new articles no issue holds.
    private func markLoners() throws(DatabaseError) {
        guard let firstNewArticle else { return }
        if expectsLoners {
            // As long as no issue is there, as in a first import, none of them is looked at.
            try connection.run(
                """
                UPDATE article SET standsAlone = 0
                WHERE number >= ? AND EXISTS (SELECT 1 FROM issue_article) AND EXISTS (
                    SELECT 1 FROM issue_article r JOIN issue i ON i.id = r.parent WHERE r.child = article.id
                )
                """,
                firstNewArticle
            )
        } else {
            try connection.run(
                """
                UPDATE article SET standsAlone = 1
                WHERE number >= ? AND NOT standsAlone AND NOT EXISTS (
                    SELECT 1 FROM issue_article r JOIN issue i ON i.id = r.parent WHERE r.child = article.id
                )
                """,
                firstNewArticle
            )
        }
    }

    private mutating func setFeatured(
        _ isFeatured: Bool?,
        _ article: Article.ID,
        in issue: Issue.ID
    ) throws(DatabaseError) {
        try connection.run(
            "UPDATE issue_article SET isFeatured = ? WHERE child = ? AND parent = ?",
            isFeatured,
            article.rawValue,
            issue.rawValue
        )
        marks.insert(.articles)
    }

    private mutating func setPurchased(_ isPurchased: Bool, _ item: LibraryItem) throws(DatabaseError) {
        switch item {
        case .volume(let id):
            try connection.run("UPDATE volume SET isPurchased = ? WHERE id = ?", isPurchased, id.rawValue)
            marks.insert(.volumes)
        case .issue(let id):
            try connection.run("UPDATE issue SET isPurchased = ? WHERE id = ?", isPurchased, id.rawValue)
            marks.insert(.issues)
        case .article(let id):
            try connection.run("UPDATE article SET isPurchased = ? WHERE id = ?", isPurchased, id.rawValue)
            marks.insert(.articles)
        }
    }
}

extension LibraryChanges.Step {
    /// Whether it only saves what issues hold: then no issue of the same changes holds it.
    fileprivate var isOfContents: Bool {
        switch self {
        case .saveArticles, .saveAssets: true
        default: false
        }
    }
}
