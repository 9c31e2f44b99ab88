import MastheadPublishing

/// What a library must say, as plain values: the same rules, written in the plainest way.
struct LibraryModel {
    var volumes: [Volume.ID: Volume] = [:]
    var issues: [Issue.ID: Issue] = [:]
    var articles: [Article.ID: Article] = [:]
    var assets: [Asset.ID: Asset] = [:]
    var featured: [Issue.ID: [Article.ID: Bool]] = [:]
    var loners: Set<Article.ID> = []
    var purchased: Set<LibraryItem> = []

    // MARK: Saving

    mutating func save(_ volume: Volume) { volumes[volume.id] = volume }

    mutating func save(_ issue: Issue) {
        issues[issue.id] = issue
        featured[issue.id] = featured[issue.id]?.filter { issue.articleIDs.contains($0.key) }
    }

    mutating func save(_ article: Article) {
        var article = article
        if article.isStub { article.body = articles[article.id]?.body ?? "" }
        articles[article.id] = article
    }

    mutating func save(_ asset: Asset) { assets[asset.id] = asset }

    /// Says which of the articles that were not there before stand on their own.
    mutating func end(newSince before: LibraryModel, deleted: Set<Article.ID>) {
        for id in articles.keys where before.articles[id] == nil || deleted.contains(id) {
            if !isInIssue(id) { loners.insert(id) }
        }
    }

    // MARK: Deleting

    mutating func delete(volume id: Volume.ID, _ force: Bool) -> Bool {
        if !force, purchased.contains(.volume(id)) { return false }
        guard let volume = volumes.removeValue(forKey: id) else { return true }
        purchased.remove(.volume(id))
        for issue in volume.issueIDs where !volumes.values.contains(where: { $0.issueIDs.contains(issue) }) {
            if force || !purchased.contains(.issue(issue)) { _ = delete(issue: issue, force) }
        }
        deleteUnheld(volume.assetIDs)
        return true
    }

    mutating func delete(issue id: Issue.ID, _ force: Bool) -> Bool {
        if !force, purchased.contains(.issue(id)) { return false }
        guard let issue = issues[id] else { return true }
        deleteArticles(of: id, force)
        issues[id] = nil
        purchased.remove(.issue(id))
        for key in volumes.keys { volumes[key]?.issueIDs.removeAll { $0 == id } }
        deleteUnheld(issue.assetIDs + [issue.coverPhoneID].compactMap { $0 })
        return true
    }

    mutating func deleteArticles(of id: Issue.ID, _ force: Bool) {
        guard let articles = issues[id]?.articleIDs else { return }
        issues[id]?.articles = []
        featured[id] = nil
        for article in articles where !isInIssue(article) && !loners.contains(article) {
            if force || !purchased.contains(.article(article)) { _ = delete(article: article, true) }
        }
    }

    mutating func delete(article id: Article.ID, _ force: Bool) -> Bool {
        if !force, purchased.contains(.article(id)) { return false }
        guard let article = articles.removeValue(forKey: id) else { return true }
        purchased.remove(.article(id))
        loners.remove(id)
        for key in issues.keys {
            issues[key]?.articles.removeAll { $0.id == id }
            featured[key]?[id] = nil
        }
        deleteUnheld(article.assetIDs)
        return true
    }

    mutating func delete(asset id: Asset.ID) {
        assets[id] = nil
        for key in volumes.keys { volumes[key]?.assetIDs.removeAll { $0 == id } }
        for key in issues.keys {
            issues[key]?.assetIDs.removeAll { $0 == id }
            if issues[key]?.coverPhoneID == id { issues[key]?.coverPhoneID = nil }
        }
        for key in articles.keys { articles[key]?.assetIDs.removeAll { $0 == id } }
    }

    private mutating func deleteUnheld(_ ids: [Asset.ID]) {
        for id in ids {
            let isHeld =
                articles.values.contains { $0.assetIDs.contains(id) }
                || issues.values.contains { $0.assetIDs.contains(id) || $0.coverPhoneID == id }
                || volumes.values.contains { $0.assetIDs.contains(id) }
            if !isHeld { assets[id] = nil }
        }
    }

    private func isInIssue(_ id: Article.ID) -> Bool {
        issues.values.contains { $0.articleIDs.contains(id) }
    }

    // MARK: What is to be read

    /// An issue with the volumes that hold it, as a library gives it.
    func wholeIssues() -> [Issue.ID: Issue] {
        issues.mapValues { issue in
            var issue = issue
            issue.volumeIDs = volumes.values.filter { $0.issueIDs.contains(issue.id) }.map(\.id)
                .sorted { $0.rawValue < $1.rawValue }
            return issue
        }
    }
}
