public import FoundationEssentials

/// A book as a calibre server describes it.
///
/// ```swift
/// for book in try await calibre.books().get() { print(book.title, book.authors) }
/// ```
///
/// Every field but ``id`` may be missing.
public struct CalibreBook: Sendable, Hashable, Identifiable, Decodable {
    /// The number of a book in its library.
    public struct ID: Sendable, Hashable, Decodable, CustomStringConvertible, ExpressibleByIntegerLiteral {
        /// The number itself.
        public let rawValue: Int

        public init(_ rawValue: Int) {
            self.rawValue = rawValue
        }

        public init(integerLiteral value: Int) {
            rawValue = value
        }

        public init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(Int.self)
        }

        public var description: String { String(rawValue) }
    }

    public let id: ID
    public let title: String
    public let authors: [String]
    public let tags: [String]
    public let languages: [String]
    public let series: String?

    /// The place in ``series``; calibre numbers them 1, 2, but also 2.5.
    public let seriesIndex: Double?
    public let publisher: String?

    /// What the publisher says of it, as HTML.
    public let comments: String?

    /// When it came out; `nil` where calibre does not know, which it writes as a date in the year 101, or as `None`.
    public let publishedDate: Date?
    public let lastModified: Date?

    /// The formats the server has, in lower case: `epub`, `pdf`.
    public let formats: [String]

    /// The size of the EPUB in the library, in bytes.
    ///
    /// What is downloaded may differ: calibre writes the metadata in.
    public let epubSize: Int?

    private enum CodingKeys: String, CodingKey {
        case id = "application_id"
        case title, authors, tags, languages, series
        case seriesIndex = "series_index"
        case publisher, comments
        case publishedDate = "pubdate"
        case lastModified = "last_modified"
        case formats
        case formatMetadata = "format_metadata"
    }

    private struct Format: Decodable {
        let size: Int?
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ID.self, forKey: .id)
        title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
        authors = try container.decodeIfPresent([String].self, forKey: .authors) ?? []
        tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
        languages = try container.decodeIfPresent([String].self, forKey: .languages) ?? []
        series = try container.decodeIfPresent(String.self, forKey: .series)
        seriesIndex = try container.decodeIfPresent(Double.self, forKey: .seriesIndex)
        publisher = try container.decodeIfPresent(String.self, forKey: .publisher)
        comments = try container.decodeIfPresent(String.self, forKey: .comments)
        publishedDate = try Self.publishedDate(in: container)
        lastModified = try container.decodeIfPresent(Date.self, forKey: .lastModified)
        formats = try container.decodeIfPresent([String].self, forKey: .formats) ?? []
        let metadata = try container.decodeIfPresent([String: Format].self, forKey: .formatMetadata)
        epubSize = metadata?["epub"]?.size
    }

    /// What calibre writes where it knows no date: a day in the year 101, or the word `None`.
    private static func publishedDate(in container: KeyedDecodingContainer<CodingKeys>) throws -> Date? {
        if (try? container.decode(String.self, forKey: .publishedDate)) == "None" { return nil }
        let firstPlausible = Date(timeIntervalSince1970: -56_000_000_000)  // in the year 195
        return try container.decodeIfPresent(Date.self, forKey: .publishedDate).flatMap {
            $0 < firstPlausible ? nil : $0
        }
    }
}
