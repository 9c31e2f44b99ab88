import Foundation
import MastheadNetworking
import MastheadPublishing

// What the article "Coming from Dumpling" says to write now, each under the old name, up to the next empty line. The
// article has it in one line, without `_ =`. See DumplingTests.

private func show(_ picture: Data) {}

private func volume(_ library: Library, _ date: Date, _ volume: Volume) async throws {
    // old: Volume.deleteVolume(globalId)
    try await library.apply { $0.delete(volume: "v1") }

    // old: Volume.getNewestVolume()
    _ = try await library.volumes.newest().first()

    // old: Volume.searchVolumesWith(keywords)
    _ = try await library.volumes.withKeyword(anyOf: ["harbour"]).all()

    // old: Volume.getVolumes()
    _ = try await library.volumes.published().all()

    // old: Volume.getVolume(volumeId)
    _ = try await library.volume("v1")

    // old: Volume.saveVolume()
    try await library.apply { $0.save(volume) }

    // old: Volume.getValue(key)
    _ = volume.customMetadata["accent"]?.stringValue

    // old: Volume.getOlderVolumes()
    _ = try await library.volumes.published().older(than: date).all()

    // old: Volume.getNewerVolumes()
    _ = try await library.volumes.published().newer(than: date).oldest().all()

    // old: Volume.globalId
    _ = volume.id

    // old: Volume.title
    _ = volume.title

    // old: Volume.subtitle
    _ = volume.subtitle

    // old: Volume.volumeDesc
    _ = volume.summary

    // old: Volume.coverImageId
    _ = volume.coverID

    // old: Volume.keywords
    _ = volume.keywords

    // old: Volume.metadata
    _ = volume.customMetadata.text

    // old: Volume.releaseDate
    _ = volume.releaseDate

    // old: Volume.publishedDate
    _ = volume.publishedDate

    // old: Volume.published
    _ = volume.isPublished

    // old: Volume.publisher
    _ = volume.publisher
}

private func issue(_ library: Library, _ date: Date, _ issue: Issue) async throws {
    // old: Issue.deleteIssue(appleId)
    try await library.apply { $0.delete(issue: "i1") }

    // old: Issue.getNewestIssue()
    _ = try await library.issues.newest().first()

    // old: Issue.getIssueFor(appleId)
    _ = try await library.issues.withSKU("org.example.issue.1").first()

    // old: Issue.getIssues(volumeId?)
    _ = try await library.issues.ofVolume("v1").all()

    // old: Issue.getIssue(issueId)
    _ = try await library.issue("i1")

    // old: Issue.downloadIssueArticles()
    // old: Issue.downloadIssueArticles(timestamp?)
    try await library.add(issue: "i1")

    // old: Issue.downloadIssueAssets()
    for id in issue.assetIDs { _ = try await library.fetchFile(of: id, .original) }

    // old: Issue.downloadAllAssets()
    for id in issue.assetIDs + (try await library.assets.ofArticles(in: issue.id).ids()) {
        _ = try await library.fetchFile(of: id, .original)
    }

    // old: Issue.saveIssue()
    try await library.apply { $0.save(issue) }

    // old: Issue.getValue(key)
    _ = issue.customMetadata["theme"]?.stringValue

    // old: Issue.getOlderIssues()
    _ = try await library.issues.older(than: date).newest().all()

    // old: Issue.getNewerIssues()
    _ = try await library.issues.newer(than: date).oldest().all()

    // old: Issue.globalId
    _ = issue.id

    // old: Issue.appleId
    _ = issue.sku

    // old: Issue.title
    _ = issue.title

    // old: Issue.issueDesc
    _ = issue.summary

    // old: Issue.coverImageId
    _ = issue.coverPhoneID

    // old: Issue.coverImageiPadId
    _ = issue.coverTabletID

    // old: Issue.coverImageiPadLndId
    _ = issue.coverTabletLandscapeID

    // old: Issue.volumeId
    _ = issue.volumeIDs

    // old: Issue.metadata
    _ = issue.customMetadata.text

    // old: Issue.lastUpdateDate
    _ = issue.updated

    // old: Issue.displayDate
    _ = issue.displayDate

    // old: Issue.publishedDate
    _ = issue.date
}

private func asset(_ library: Library, _ article: Article, _ asset: Asset) async throws {
    // old: Asset.saveAsset()
    try await library.apply { $0.save(asset) }

    // old: Asset.deleteAsset(id)
    try await library.apply { $0.delete(asset: "m1") }

    // old: Asset.deleteAssets([id])
    try await library.apply { for id in article.assetIDs { $0.delete(asset: id) } }

    // old: Asset.getFirstAssetFor(issueId, articleId, volumeId?)
    _ = try await library.assets.ofArticle("a1").ofKind(.image).first()

    // old: Asset.getNumberOfAssetsFor(issueId, articleId, volumeId?)
    _ = try await library.assets.ofArticle("a1").count()

    // old: Asset.getAssetsFor(issueId, articleId, volumeId?, type?)
    _ = try await library.assets.ofArticle("a1").ofKind(.image).all()

    // old: Asset.getAsset(id)
    _ = try await library.asset("m1")

    // old: Asset.getPlaylistFor(issueId, articleId)
    _ = try await library.assets.ofArticle("a1").playlist().all()

    // old: Asset.getArticlesForAsset()
    _ = try await library.articles.ofAsset(asset.id).ids()

    // old: Asset.getAssetPath()
    _ = try await library.file(of: asset.id)

    // old: Asset.getAssetImage()
    if let file = try await library.file(of: asset.id) { show(try Data(contentsOf: file)) }

    // old: Asset.getOriginalImageForAsset(article?, issue?)
    _ = try await library.fetchFile(of: asset.id, .original)

    // old: Asset.getThumbImageForAsset(article?, issue?)
    _ = try await library.fetchFile(of: asset.id)

    // old: Asset.getAssetThumbImage()
    if let file = try await library.file(of: asset.id, .thumbnail) { show(try Data(contentsOf: file)) }

    // old: Asset.getValue(key)
    _ = asset.customMetadata["credit"]?.stringValue

    // old: Asset.globalId
    _ = asset.id

    // old: Asset.caption
    _ = asset.caption

    // old: Asset.source
    _ = asset.source

    // old: Asset.type
    _ = asset.kind

    // old: Asset.metadata
    _ = asset.customMetadata.text

    // old: Asset.cdnUrl
    _ = asset.cdnURL

    // old: Asset.imgUrl
    _ = asset.url

    // old: Asset.cdnThumbUrl
    _ = asset.cdnThumbnailURL

    // old: Asset.imgThumbUrl
    _ = asset.thumbnailURL

    // old: Asset.originalURL
    _ = try await library.file(of: asset.id, .original)

    // old: Asset.squareURL
    _ = try await library.file(of: asset.id, .thumbnail)

    // old: Asset.placement
    _ = article.assetIDs.firstIndex(of: asset.id)

    // old: Asset.articleId
    _ = try await library.articles.ofAsset(asset.id).ids()

    // old: Asset.issue
    _ = try await library.assets.ofIssue("i1").ids()

    // old: Asset.volumeId
    _ = try await library.assets.ofVolume("v1").ids()
}
