import FoundationEssentials
import MastheadPublishing

/// Numbers that a seed always gives in the same order.
package struct CatalogueDice: Sendable {
    private var state: UInt64

    /// Begins.
    package init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    /// A number below another, 0 if that is.
    package mutating func roll(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return count > 0 ? Int(state >> 33) % count : 0
    }
}

extension StubCatalogue {
    /// Changes something, as a publisher would.
    package mutating func change(_ dice: inout CatalogueDice, _ name: String) {
        guard !volumes.isEmpty, !issues.isEmpty, !articles.isEmpty else { return }
        let volume = dice.roll(volumes.count)
        let issue = dice.roll(issues.count)
        switch dice.roll(9) {
        case 0, 1: changeArticle(dice.roll(articles.count), &dice, name)
        case 2, 3: addArticle(to: issue, at: dice.roll(issues[issue].articles.count + 1), name)
        case 4 where !issues[issue].articles.isEmpty:
            issues[issue].articles.remove(at: dice.roll(issues[issue].articles.count))
            put(issues[issue])
        case 5:
            let article = articles[dice.roll(articles.count)].id
            guard !issues[issue].articleIDs.contains(article) else { return }
            issues[issue].articles.append(Article.Stub(id: article))
            put(issues[issue])
        case 6:
            put(Issue(id: Issue.ID("i\(name)"), title: name, isPublished: true))
            addArticle(to: issues.count - 1, at: 0, name)
            volumes[volume].issueIDs.insert(Issue.ID("i\(name)"), at: dice.roll(volumes[volume].issueIDs.count + 1))
        case 7 where issues.count > 2:
            let id = issues.remove(at: issue).id
            for index in volumes.indices { volumes[index].issueIDs.removeAll { $0 == id } }
        default: volumes[volume].title = "Volume \(name)"
        }
    }

    private mutating func changeArticle(_ index: Int, _ dice: inout CatalogueDice, _ name: String) {
        var article = articles[index]
        article.title = "Title \(name)"
        if dice.roll(2) == 0, let asset = article.assetIDs.first {
            put(Asset(id: asset, caption: "Caption \(name)", kind: .image))
        } else if dice.roll(2) == 0, !article.assetIDs.isEmpty {
            article.assetIDs.removeLast()
        } else {
            put(Asset(id: Asset.ID("m\(name)"), caption: name, kind: .sound))
            article.assetIDs.append(Asset.ID("m\(name)"))
        }
        put(article)
    }

    private mutating func addArticle(to issue: Int, at place: Int, _ name: String) {
        let id = Article.ID("a\(name)")
        put(Asset(id: Asset.ID("m\(name)"), caption: name, kind: .image))
        put(Article.sample(id, assets: [Asset.ID("m\(name)")], on: now))
        issues[issue].articles.insert(Article.Stub(id: id), at: place)
        put(issues[issue])
    }

    /// What can be come to from its volumes and issues.
    package var reachable: StubCatalogue {
        var copy = self
        let listed = Set(issues.flatMap(\.articleIDs))
        copy.articles = articles.filter { listed.contains($0.id) }
        let shown = Set(
            copy.articles.flatMap(\.assetIDs) + issues.flatMap { $0.assetIDs + [$0.coverPhoneID].compactMap { $0 } }
                + volumes.flatMap { $0.assetIDs + [$0.coverID].compactMap { $0 } }
        )
        copy.assets = assets.filter { shown.contains($0.id) }
        return copy
    }
}
