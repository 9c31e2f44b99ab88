package import FoundationEssentials
package import MastheadPublishing

/// What a ``StubPublisher`` has: models in the order of its lists, and how it behaves.
package struct StubCatalogue: Sendable {
    package var volumes: [Volume] = []
    package var issues: [Issue] = []
    package var articles: [Article] = []
    package var assets: [Asset] = []

    /// The server's clock.
    package var now = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// Whether lists say nothing but ids.
    package var listsOnlyIDs = false

    /// Whether lists leave out the texts of articles.
    package var listsLeaveTextsOut = false

    /// What it has, but names in no list.
    package var unlisted: Set<String> = []

    /// How long an answer takes, by its clock.
    package var secondsPerAnswer = 1.0

    /// Whether its answers say when they were made.
    package var saysDate = true

    /// Whether a batch with an id that it does not know is refused as a whole.
    package var refusesUnknown = false

    /// How many requests are still answered; the others fail.
    package var answersLeft = Int.max

    /// What it was asked for.
    package var targets: [String] = []

    /// Has nothing.
    package init() {}

    // MARK: Changing it

    /// Puts a volume in the place of that of its id, or at the end.
    package mutating func put(_ volume: Volume) { volumes.put(volume) }

    /// Puts an issue in the place of that of its id, or at the end; it was changed now.
    package mutating func put(_ issue: Issue) {
        var issue = issue
        issue.updated = now
        for index in issue.articles.indices {
            issue.articles[index].updated = articles.first { $0.id == issue.articles[index].id }?.updated
        }
        issues.put(issue)
    }

    /// Puts an article in the place of that of its id, or at the end; it was changed now, and issues say so.
    package mutating func put(_ article: Article) {
        var article = article
        article.updated = now
        articles.put(article)
        for issue in issues.indices {
            for stub in issues[issue].articles.indices where issues[issue].articles[stub].id == article.id {
                issues[issue].articles[stub].updated = now
            }
        }
    }

    /// Puts an asset in the place of that of its id, or at the end; it was changed now.
    package mutating func put(_ asset: Asset) {
        var asset = asset
        asset.updated = now
        assets.put(asset)
    }
}

extension Array where Element: Identifiable {
    fileprivate mutating func put(_ element: Element) {
        if let index = firstIndex(where: { $0.id == element.id }) {
            self[index] = element
        } else {
            append(element)
        }
    }
}
