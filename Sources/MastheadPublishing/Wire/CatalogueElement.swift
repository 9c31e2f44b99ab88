import MastheadNetworking

/// What the catalogue's lists, look-ups and batches need to know about a model.
protocol CatalogueElement: Identifiable, Decodable, Sendable where ID == Identifier<Self> {
    /// The first segment of its paths, and the key its objects stand under in every answer.
    static var collection: String { get }

    /// What a look-up says when there is no such object.
    static var unknown: any CustomRepositoryError { get }

    /// What a look-up says when the publisher took the object back.
    static var withdrawn: any CustomRepositoryError { get }

    /// Whether a list gave nothing but what is needed to ask for the object itself.
    var isStub: Bool { get }
}

extension Volume: CatalogueElement {
    static var collection: String { "volumes" }
    static var unknown: any CustomRepositoryError { VolumeError.unknownVolume }
    static var withdrawn: any CustomRepositoryError { VolumeError.withdrawn }
}

extension Issue: CatalogueElement {
    static var collection: String { "issues" }
    static var unknown: any CustomRepositoryError { IssueError.unknownIssue }
    static var withdrawn: any CustomRepositoryError { IssueError.withdrawn }
}

extension Article: CatalogueElement {
    static var collection: String { "articles" }
    static var unknown: any CustomRepositoryError { ArticleError.unknownArticle }
    static var withdrawn: any CustomRepositoryError { ArticleError.withdrawn }
}

extension Asset: CatalogueElement {
    static var collection: String { "media" }
    static var unknown: any CustomRepositoryError { AssetError.unknownAsset }
    static var withdrawn: any CustomRepositoryError { AssetError.withdrawn }
    var isStub: Bool { self == Asset(id: id) }
}
