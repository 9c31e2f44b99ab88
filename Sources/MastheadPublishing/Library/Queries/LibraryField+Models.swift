public import FoundationEssentials

extension LibraryField<Volume, String> {
    /// The title.
    public static var title: Self { Self("title") }

    /// The subtitle.
    public static var subtitle: Self { Self("subtitle") }

    /// What it is about.
    public static var summary: Self { Self("summary") }

    /// Who published it.
    public static var publisher: Self { Self("publisher") }

    /// When it is said to appear, in any form.
    public static var releaseDate: Self { Self("releaseDate") }
}

extension LibraryField<Volume, SKU> {
    /// What a store sells it as.
    public static var sku: Self { Self("sku") }
}

extension LibraryField<Volume, Bool> {
    /// Whether readers may see it.
    public static var isPublished: Self { Self("isPublished") }

    /// Whether it was bought.
    public static var isPurchased: Self { Self("isPurchased") }
}

extension LibraryField<Volume, Date> {
    /// When it was published.
    public static var date: Self { Self("date") }
}

extension LibraryField<Issue, String> {
    /// The title.
    public static var title: Self { Self("title") }

    /// What it is about.
    public static var summary: Self { Self("summary") }

    /// Its date as the publisher wants it shown.
    public static var displayDate: Self { Self("displayDate") }
}

extension LibraryField<Issue, SKU> {
    /// What a store sells it as.
    public static var sku: Self { Self("sku") }
}

extension LibraryField<Issue, Bool> {
    /// Whether readers may see it.
    public static var isPublished: Self { Self("isPublished") }

    /// Whether it was bought.
    public static var isPurchased: Self { Self("isPurchased") }
}

extension LibraryField<Issue, Date> {
    /// When it appeared.
    public static var date: Self { Self("date") }

    /// When it was last changed.
    public static var updated: Self { Self("updated") }
}

extension LibraryField<Article, String> {
    /// The title.
    public static var title: Self { Self("title") }

    /// The title as it stands in addresses.
    public static var slug: Self { Self("slug") }

    /// What it is about.
    public static var summary: Self { Self("summary") }

    /// Who wrote it.
    public static var authorName: Self { Self("authorName") }

    /// What there is to know about the author.
    public static var authorBio: Self { Self("authorBio") }

    /// The section of the issue it stands in.
    public static var section: Self { Self("section") }

    /// The kind of article.
    public static var type: Self { Self("type") }

    /// What the editors say to it.
    public static var commentary: Self { Self("commentary") }
}

extension LibraryField<Article, URL> {
    /// The author's page.
    public static var authorURL: Self { Self("authorURL") }

    /// The page to share.
    public static var sharingURL: Self { Self("sharingURL") }
}

extension LibraryField<Article, SKU> {
    /// What a store sells it as.
    public static var sku: Self { Self("sku") }
}

extension LibraryField<Article, Bool> {
    /// Whether the publisher puts it forward wherever it is.
    public static var isFeatured: Self { Self("isFeatured") }

    /// Whether readers may see it.
    public static var isPublished: Self { Self("isPublished") }

    /// Whether it was bought.
    public static var isPurchased: Self { Self("isPurchased") }
}

extension LibraryField<Article, Date> {
    /// When it was published.
    public static var date: Self { Self("date") }

    /// When it was last changed.
    public static var updated: Self { Self("updated") }
}

extension LibraryField<Asset, String> {
    /// The caption.
    public static var caption: Self { Self("caption") }

    /// Who made it.
    public static var source: Self { Self("source") }
}

extension LibraryField<Asset, Int> {
    /// How wide it is, in pixels.
    public static var width: Self { Self("width") }

    /// How high it is, in pixels.
    public static var height: Self { Self("height") }
}

extension LibraryField<Asset, Date> {
    /// When it was last changed.
    public static var updated: Self { Self("updated") }
}

extension LibraryField<Asset, Asset.Kind> {
    /// What it is.
    public static var kind: Self { Self(column: "kind") { .text($0.rawValue) } }
}
