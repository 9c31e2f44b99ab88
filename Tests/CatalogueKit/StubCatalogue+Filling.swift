package import FoundationEssentials
package import MastheadPublishing

extension StubCatalogue {
    /// Has volumes `v0`…, each with issues `v0i0`…, each with articles `v0i0a0`…, each with two assets of its own and one of
    /// its issue's.
    package init(volumes: Int, issues: Int, articles: Int) {
        self.init()
        for volume in 0..<volumes {
            let id = "v\(volume)"
            let issueIDs = (0..<issues).map { Issue.ID("\(id)i\($0)") }
            put(Asset(id: "\(id)m", caption: "Volume \(volume)", kind: .image))
            for issueID in issueIDs { fill(issueID, articles) }
            put(
                Volume(
                    id: "\(id)",
                    sku: "org.example.\(id)",
                    title: "Volume \(volume)",
                    coverID: "\(id)m",
                    keywords: ["word \(volume)"],
                    assetIDs: ["\(id)m"],
                    issueIDs: issueIDs,
                    publishedDate: now,
                    isPublished: true
                )
            )
        }
    }

    private mutating func fill(_ id: Issue.ID, _ articles: Int) {
        let articleIDs = (0..<articles).map { Article.ID("\(id)a\($0)") }
        put(Asset(id: "\(id)m", caption: "Issue \(id)", kind: .image))
        for articleID in articleIDs {
            put(Asset(id: "\(articleID)m0", caption: "Picture of \(articleID)", kind: .image))
            put(Asset(id: "\(articleID)m1", caption: "Sound of \(articleID)", kind: .sound))
            put(Article.sample(articleID, assets: ["\(articleID)m0", "\(articleID)m1", "\(id)m"], on: now))
        }
        put(
            Issue(
                id: id,
                sku: "org.example.\(id)",
                title: "Issue \(id)",
                coverPhoneID: "\(id)m",
                articles: articleIDs.map { Article.Stub(id: $0) },
                assetIDs: ["\(id)m"],
                publishedDate: now,
                isPublished: true
            )
        )
    }
}

extension Article {
    /// An article with a text, in the section `News`.
    package static func sample(_ id: ID, assets: [Asset.ID] = [], on date: Date) -> Article {
        Article(
            id: id,
            sku: "org.example.\(id)",
            title: "Article \(id)",
            summary: "What \(id) is about",
            body: "<p>The text of \(id).</p>",
            section: "News",
            keywords: ["harbour"],
            assetIDs: assets,
            isPublished: true,
            publishedDate: date
        )
    }
}
