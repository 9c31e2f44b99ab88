package import MastheadSQLite

/// What a library's file looks like.
///
/// Texts of articles lie in a table of their own, so that lists do not read them, and so does what is searched. Relations
/// name both sides by the publisher's ids: a list may name what is not stored yet. What a publisher says of dates is kept
/// in seconds since 2001, to the last bit of a `Date`.
package enum LibrarySchema {
    /// The number in the file's header: `Mlib`.
    package static let applicationID: Int32 = 0x4D6C_6962

    /// The steps that lead to the present form.
    package static let schema = Schema(
        applicationID: applicationID,
        migrations: [catalogue, search, syncing, unindexed, fileDates]
    )

    /// Volumes, issues, articles, assets, what holds what, and the files of assets.
    package static let catalogue = Migration(
        to: 1,
        """
        CREATE TABLE volume (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            sku TEXT,
            title TEXT NOT NULL,
            subtitle TEXT NOT NULL,
            summary TEXT NOT NULL,
            cover TEXT,
            keywords TEXT,
            metadata TEXT,
            isMetadataText INTEGER NOT NULL,
            releaseDate TEXT NOT NULL,
            date REAL,
            isPublished INTEGER NOT NULL,
            publisher TEXT NOT NULL,
            isPurchased INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX volume_sku ON volume (sku) WHERE sku IS NOT NULL;
        CREATE INDEX volume_date ON volume (date);
        CREATE INDEX volume_cover ON volume (cover) WHERE cover IS NOT NULL;

        CREATE TABLE issue (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            sku TEXT,
            title TEXT NOT NULL,
            summary TEXT NOT NULL,
            coverPhone TEXT,
            coverTablet TEXT,
            coverTabletLandscape TEXT,
            metadata TEXT,
            isMetadataText INTEGER NOT NULL,
            created REAL,
            published REAL,
            date REAL,
            updated REAL,
            isPublished INTEGER NOT NULL,
            displayDate TEXT NOT NULL,
            isPurchased INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX issue_sku ON issue (sku) WHERE sku IS NOT NULL;
        CREATE INDEX issue_date ON issue (date);
        CREATE INDEX issue_coverPhone ON issue (coverPhone) WHERE coverPhone IS NOT NULL;
        CREATE INDEX issue_coverTablet ON issue (coverTablet) WHERE coverTablet IS NOT NULL;
        CREATE INDEX issue_coverLandscape ON issue (coverTabletLandscape) WHERE coverTabletLandscape IS NOT NULL;

        CREATE TABLE article (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            sku TEXT,
            title TEXT NOT NULL,
            slug TEXT NOT NULL,
            summary TEXT NOT NULL,
            authorName TEXT NOT NULL,
            authorURL TEXT,
            authorBio TEXT NOT NULL,
            sharingURL TEXT,
            section TEXT NOT NULL,
            type TEXT NOT NULL,
            commentary TEXT NOT NULL,
            keywords TEXT,
            metadata TEXT,
            isMetadataText INTEGER NOT NULL,
            isFeatured INTEGER NOT NULL,
            isPublished INTEGER NOT NULL,
            date REAL,
            updated REAL,
            standsAlone INTEGER NOT NULL DEFAULT 0,
            isPurchased INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX article_sku ON article (sku) WHERE sku IS NOT NULL;
        CREATE INDEX article_date ON article (date);
        CREATE TABLE article_body (number INTEGER PRIMARY KEY, html TEXT NOT NULL);

        CREATE TABLE asset (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            caption TEXT NOT NULL,
            source TEXT NOT NULL,
            kind TEXT NOT NULL,
            cdnURL TEXT,
            url TEXT,
            cdnThumbnailURL TEXT,
            thumbnailURL TEXT,
            width INTEGER,
            height INTEGER,
            updated REAL,
            metadata TEXT,
            isMetadataText INTEGER NOT NULL
        );

        CREATE TABLE volume_issue (
            parent TEXT NOT NULL,
            placement INTEGER,
            child TEXT NOT NULL,
            volumePlacement INTEGER,
            PRIMARY KEY (parent, child)
        ) WITHOUT ROWID;
        CREATE INDEX volume_issue_placement ON volume_issue (parent, placement);
        CREATE INDEX volume_issue_child ON volume_issue (child, volumePlacement);

        CREATE TABLE issue_article (
            parent TEXT NOT NULL,
            placement INTEGER NOT NULL,
            child TEXT NOT NULL,
            updated REAL,
            isFeatured INTEGER,
            PRIMARY KEY (parent, placement)
        ) WITHOUT ROWID;
        CREATE INDEX issue_article_child ON issue_article (child);

        CREATE TABLE volume_asset (
            parent TEXT NOT NULL,
            placement INTEGER NOT NULL,
            child TEXT NOT NULL,
            PRIMARY KEY (parent, placement)
        ) WITHOUT ROWID;
        CREATE INDEX volume_asset_child ON volume_asset (child);

        CREATE TABLE issue_asset (
            parent TEXT NOT NULL,
            placement INTEGER NOT NULL,
            child TEXT NOT NULL,
            PRIMARY KEY (parent, placement)
        ) WITHOUT ROWID;
        CREATE INDEX issue_asset_child ON issue_asset (child);

        CREATE TABLE article_asset (
            parent TEXT NOT NULL,
            placement INTEGER NOT NULL,
            child TEXT NOT NULL,
            PRIMARY KEY (parent, placement)
        ) WITHOUT ROWID;
        CREATE INDEX article_asset_child ON article_asset (child);

        CREATE TABLE volume_keyword (
            word TEXT NOT NULL,
            owner INTEGER NOT NULL,
            PRIMARY KEY (word, owner)
        ) WITHOUT ROWID;
        CREATE TABLE article_keyword (
            word TEXT NOT NULL,
            owner INTEGER NOT NULL,
            PRIMARY KEY (word, owner)
        ) WITHOUT ROWID;

        CREATE TABLE asset_file (
            asset TEXT NOT NULL,
            role INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (asset, role)
        ) WITHOUT ROWID;
        CREATE TABLE doomed_file (name TEXT PRIMARY KEY) WITHOUT ROWID;
        """
    )
}
