import MastheadPublishing
import Testing

@Suite("The library against a plain model", .timeLimit(.minutes(3)))
struct LibraryRandomTests {
    /// Numbers that a seed always gives in the same order.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }

        mutating func some<Owner>(_ letter: String, of count: Int) -> [Identifier<Owner>] {
            var ids: [Identifier<Owner>] = []
            for _ in 0..<roll(5) {
                let id = Identifier<Owner>("\(letter)\(roll(count))")
                if !ids.contains(id) { ids.append(id) }
            }
            return ids
        }
    }

    @Test("10,000 random operations leave what a plain model says", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        let folder = try LibraryFolder()
        let library = try await folder.open()
        var dice = Dice(state: seed)
        var model = LibraryModel()
        for round in 0..<1000 {
            let before = model
            var changes = LibraryChanges()
            var deleted: Set<Article.ID> = []
            var isRefused = false
            for step in 0..<10 {
                let isDone = Self.operate(&dice, "\(round)x\(step)", &model, &changes)
                if !isDone { isRefused = true }
                // What is deleted and saved again in one breath is new again.
                deleted.formUnion(before.articles.keys.filter { model.articles[$0] == nil })
            }
            if isRefused {
                model = before
                do throws(LibraryError) {
                    try await library.apply(changes)
                    Testing.Issue.record("what was bought was deleted")
                } catch {}
            } else {
                model.end(newSince: before, deleted: deleted)
                try await library.apply(changes)
            }
            if round % 50 == 49 { try await expect(library, is: model, "seed \(seed), round \(round)") }
        }
    }

    private static func operate(
        _ dice: inout Dice,
        _ mark: String,
        _ model: inout LibraryModel,
        _ changes: inout LibraryChanges
    ) -> Bool {
        let (v, i) = (Volume.ID("v\(dice.roll(4))"), Issue.ID("i\(dice.roll(8))"))
        let (a, m) = (Article.ID("a\(dice.roll(20))"), Asset.ID("m\(dice.roll(15))"))
        let force = dice.roll(4) == 0
        switch dice.roll(24) {
        case 0...2:
            let volume = Volume(id: v, title: mark, assetIDs: dice.some("m", of: 15), issueIDs: dice.some("i", of: 8))
            model.save(volume)
            changes.save(volume)
        case 3...6:
            let issue = Issue(
                id: i,
                title: mark,
                coverPhoneID: dice.roll(2) == 0 ? m : nil,
                articles: dice.some("a", of: 20).map { .init(id: $0) },
                assetIDs: dice.some("m", of: 15)
            )
            model.save(issue)
            changes.save(issue)
        case 7...11:
            let body = dice.roll(3) == 0 ? "" : "<p>common w\(mark)</p>"
            let article = Article(id: a, title: mark, body: body, assetIDs: dice.some("m", of: 15))
            model.save(article)
            changes.save(article)
        case 12...14:
            let asset = Asset(id: m, caption: "c\(mark)", kind: .image)
            model.save(asset)
            changes.save(asset)
        case 15:
            changes.setFeatured(true, a, in: i)
            if model.issues[i]?.articleIDs.contains(a) == true { model.featured[i, default: [:]][a] = true }
        case 16:
            let item: LibraryItem = [.volume(v), .issue(i), .article(a)][dice.roll(3)]
            let isPurchased = dice.roll(3) == 0
            changes.setPurchased(isPurchased, item)
            let isThere =
                switch item {
                case .volume(let id): model.volumes[id] != nil
                case .issue(let id): model.issues[id] != nil
                case .article(let id): model.articles[id] != nil
                }
            if isThere, isPurchased { model.purchased.insert(item) } else { model.purchased.remove(item) }
        case 17:
            changes.delete(volume: v, force: force)
            return model.delete(volume: v, force)
        case 18, 19:
            changes.delete(issue: i, force: force)
            return model.delete(issue: i, force)
        case 20:
            changes.delete(articlesOf: i, force: force)
            model.deleteArticles(of: i, force)
        case 21, 22:
            changes.delete(article: a, force: force)
            return model.delete(article: a, force)
        default:
            changes.delete(asset: m)
            model.delete(asset: m)
        }
        return true
    }

    private func expect(_ library: Library, is model: LibraryModel, _ place: Comment) async throws {
        let volumes = try await library.volumes.all()
        #expect(Dictionary(uniqueKeysWithValues: volumes.map { ($0.id, $0) }) == model.volumes, place)
        let issues = try await library.issues.all()
        #expect(Dictionary(uniqueKeysWithValues: issues.map { ($0.id, $0) }) == model.wholeIssues(), place)
        let articles = try await library.articles.bodies().all()
        #expect(Dictionary(uniqueKeysWithValues: articles.map { ($0.id, $0) }) == model.articles, place)
        let assets = try await library.assets.all()
        #expect(Dictionary(uniqueKeysWithValues: assets.map { ($0.id, $0) }) == model.assets, place)
        for issue in model.issues.values {
            let stored = issue.articleIDs.filter { model.articles[$0] != nil }
            #expect(try await library.articles.inIssue(issue.id).ids() == stored, place)
            let featured = stored.filter { model.featured[issue.id]?[$0] == true }
            #expect(try await library.articles.inIssue(issue.id).featured().ids() == featured, place)
        }
        // The index says what the articles say.
        let withText = model.articles.values.filter { !$0.body.isEmpty }
        #expect(try await library.articles.count(of: .word("common")) == withText.count, place)
        for article in model.articles.values {
            #expect(
                try await library.articles.search(.field(.title, .word(article.title))).map(\.id) == [article.id],
                place
            )
        }
        for asset in model.assets.values {
            let showing = model.articles.values.filter { $0.assetIDs.contains(asset.id) }.map(\.id)
            let found = try await library.articles.search(.field(.captions, .word(asset.caption)))
            #expect(Set(found.map(\.id)) == Set(showing), place)
        }
    }
}
