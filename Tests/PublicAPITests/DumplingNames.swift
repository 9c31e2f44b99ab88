/// The old client's names, as section 7 of the publisher's protocol has them: those of the classes that have a successor.
nonisolated enum DumplingNames {
    /// The methods of its last release, and a handler's one property.
    static let methods = parsed(
        """
        VolumeHandler
          init?(folder)
          init(clientkey)
          init(folder, clientkey)
          getCurrentSchemaVersion()
          addVolumeFromAPI(globalId)
          addVolumeFor(appleId)
          addAllVolumes()
          addAllVolumes(page, limit)
          getVolume(volumeId)
          listVolumes()
          issueHandler
        IssueHandler
          init?(folder)
          init(clientkey)
          init(folder, clientkey)
          init(folder, clientkey, migration)
          addIssueZip(appleId)
          addIssueFromAPI(issueId, volumeId?, withArticles)
          addAllIssues()
          addAllIssues(timestamp?)
          addOnlyIssuesWithoutArticles()
          addOnlyIssuesWithoutArticles(timestamp?)
          addPreviewIssues()
          addPreviewIssues(timestamp?)
          listIssues()
          searchIssueFor(appleId)
          getIssue(issueId)
          downloadArticlesFor(issueId)
          downloadAssetsFor(issueId)
          downloadAllAssetsFor(issueId)
          addIssueOnNewsstand(issueId)
          findDownloadProgress(volumeId?, issueId?)
          findAllDownloads(issueId)
          getActiveDownloads()
        ArticleHandler
          init?(folder)
          init(clientkey)
          init(folder, clientkey)
          addArticleFromAPI(globalId)
          addArticleFromAPI(globalId, issueId)
          addArticleWith(appleId)
          addArticlesFor(property, value, page, limit)
          addAllArticles(page, limit)
          addAllArticles(page, limit, timestamp?)
          addPreviewArticles(page, limit)
          addAllPublishedArticles(page, limit)
          addAllPublishedArticles(page, limit, timestamp?)
          getAllArticles(page, count)
          getArticle(articleId)
        Volume
          deleteVolume(globalId)
          getNewestVolume()
          searchVolumesWith(keywords)
          getVolumes()
          getVolume(volumeId)
          saveVolume()
          getValue(key)
          getOlderVolumes()
          getNewerVolumes()
        Issue
          deleteIssue(appleId)
          getNewestIssue()
          getIssueFor(appleId)
          getIssues(volumeId?)
          getIssue(issueId)
          downloadIssueArticles()
          downloadIssueArticles(timestamp?)
          downloadIssueAssets()
          downloadAllAssets()
          saveIssue()
          getValue(key)
          getOlderIssues()
          getNewerIssues()
        Article
          deleteArticlesFor(issueId)
          getArticlesFor(issueId?, type?, excludeType?, count, page)
          getArticlesFor(issueId?, key, value, count, page)
          getArticle(articleId?, appleId?)
          searchArticlesWith(keywords, issueId?)
          getFeaturedArticlesFor(issueId)
          setAssetPattern(regex)
          getOlderArticles(date)
          getNewerArticles(date)
          refreshArticle(handler?)
          deleteArticle()
          downloadArticleAssets(handler?)
          downloadFirstAsset(handler?)
          saveArticle()
          replacePatternsWithAssets()
          getOlderArticles()
          getNewerArticles()
          getValue(key)
        Asset
          saveAsset()
          deleteAsset(id)
          deleteAssets([id])
          getFirstAssetFor(issueId, articleId, volumeId?)
          getNumberOfAssetsFor(issueId, articleId, volumeId?)
          getAssetsFor(issueId, articleId, volumeId?, type?)
          getAsset(id)
          getPlaylistFor(issueId, articleId)
          getArticlesForAsset()
          getAssetPath()
          getAssetImage()
          getValue(key)
        """
    )

    /// What a later branch of it has added.
    static let additions = parsed(
        """
        IssueHandler
          addOnlyIssuesWithoutArticles(page)
          addOnlyIssuesWithoutArticles(timestamp?, page?)
          addPreviewIssues(page)
          addPreviewIssues(timestamp?, page?)
        ArticleHandler
          updateArticleFromAPI(globalId, handler?)
        Article
          deleteArticle(globalId)
        Asset
          getOriginalImageForAsset(article?, issue?)
          getThumbImageForAsset(article?, issue?)
          getAssetThumbImage()
        """
    )

    /// The properties of its models.
    static let properties = parsed(
        """
        Volume
          globalId
          title
          subtitle
          volumeDesc
          coverImageId
          keywords
          metadata
          releaseDate
          publishedDate
          published
          publisher
        Issue
          globalId
          appleId
          title
          issueDesc
          coverImageId
          coverImageiPadId
          coverImageiPadLndId
          volumeId
          metadata
          lastUpdateDate
          displayDate
          publishedDate
        Article
          globalId
          appleId
          title
          body
          articleDesc
          slug
          section
          articleType
          commentary
          authorName
          authorURL
          authorBio
          url
          keywords
          thumbImageURL
          metadata
          isFeatured
          isPublished
          date
          issueId
          placement
          dek
          sourceURL
          permalink
          mainImageURL
          versionStashed
        Asset
          globalId
          caption
          source
          type
          metadata
          cdnUrl
          imgUrl
          cdnThumbUrl
          imgThumbUrl
          originalURL
          squareURL
          placement
          articleId
          issue
          volumeId
          mainPortraitURL
          mainLandscapeURL
          iconURL
          fullFolderPath
        """
    )

    /// Those for which there is nothing to write.
    static let withoutCode = parsed(
        """
        VolumeHandler
          getCurrentSchemaVersion()
          issueHandler
        IssueHandler
          addIssueZip(appleId)
          addIssueOnNewsstand(issueId)
          findDownloadProgress(volumeId?, issueId?)
          findAllDownloads(issueId)
          getActiveDownloads()
        Article
          dek
          sourceURL
          permalink
          mainImageURL
          versionStashed
        Asset
          mainPortraitURL
          mainLandscapeURL
          iconURL
          fullFolderPath
        """
    )

    /// The names under each class, each with the class before it.
    private static func parsed(_ text: String) -> Set<String> {
        var owner = ""
        var names: Set<String> = []
        for line in text.split(separator: "\n") {
            let name = line.drop { $0 == " " }
            if name.count == line.count { owner = String(name) } else { names.insert("\(owner).\(name)") }
        }
        return names
    }
}
