public import FoundationEssentials

/// An entry of a list with twenty members, as servers have them of which an app shows four.
public struct Entry: Codable, Sendable {
    /// The entry's id.
    public var id: String

    /// The headline.
    public var title: String

    private var subtitle: String
    private var authorName: String
    private var language: String
    private var section: String

    /// The place within its issue.
    public var placement: Int

    private var pages: Int
    private var words: Int
    private var version: Int
    private var free: Bool
    private var featured: Bool
    private var rating: Double
    private var price: Double
    private var keywords: [String]
    private var image: String
    private var thumbnail: String
    private var summary: String
    private var created: Date

    /// When it was published.
    public var publishedDate: Date

    /// A made-up entry, the same each time.
    init(number: Int) {
        id = "64a0c0ffee0000000000" + String("\(10_000 + number)")
        title = "Tide table no. \(number)"
        subtitle = "What the harbour master wrote down"
        authorName = "Ada “Pilot” Lindqvist"
        language = "en"
        section = "Harbour"
        placement = number
        pages = 3
        words = 1200 + number
        version = 2
        free = number.isMultiple(of: 10)
        featured = false
        rating = 4.5
        price = 0.99
        keywords = ["harbour", "essays"]
        image = "https://cdn.example.org/images/\(number)/cover.jpg"
        thumbnail = "https://cdn.example.org/images/\(number)/thumbnail.jpg"
        summary = "Nobody on the quay had counted the boats, but the log lists forty of them, all under sail."
        created = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 3600)
        publishedDate = created.addingTimeInterval(86_400)
    }

    /// A list of them.
    public static func sample(count: Int) -> [Entry] { (0..<count).map(Entry.init) }
}

/// What an app shows of an entry.
public struct ShownEntry: Codable, Sendable {
    /// The entry's id.
    public var id: String

    /// The headline.
    public var title: String

    /// The place within its issue.
    public var placement: Int

    /// When it was published.
    public var publishedDate: Date
}
