/// What no list names any more: removed if nothing else holds it, it was not bought, and none of its files is here.
struct LibraryRemnants: Sendable {
    var volumes: [Volume.ID] = []
    var issues: [Issue.ID] = []
    var articles: [Article.ID] = []
    var assets: [Asset.ID] = []

    var isEmpty: Bool { volumes.isEmpty && issues.isEmpty && articles.isEmpty && assets.isEmpty }
}
