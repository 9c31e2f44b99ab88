/// What one side of the area `cache` has to do: the same words on the command line of each.
///
/// `bench-cache-ours TASK PLACE COUNT ENTRIES BODY-BYTES COMMITS`
public struct CacheWorkload: Sendable {
    /// The kind of work.
    public enum Task: String, Sendable {
        /// Keep entries where none are, for the others to read; nothing is measured.
        case fill
        /// Read entries that are in memory, decoded; ours only.
        case memory
        /// Read payloads from the disk as they are.
        case read
        /// Read entries from the disk and decode them; ours only.
        case get
        /// Keep entries one after the other, and wait at the end until all are on disk.
        case set
        /// Keep all entries in one transaction.
        case insert
        /// Read payloads from the disk on two threads while 100 entries are kept every 10 ms, so many times.
        case readers
        /// Open a cache and read one entry.
        case open
        /// Ask for an answer that is kept, and hear that it still holds; ours only.
        case revalidate
        /// Ask for an answer that is kept, and get another; ours only.
        case refetch
        /// See that a file holds the entries and nothing else; the floor only.
        case check
    }

    /// How many entries a writer keeps at once beside readers.
    public static let batch = 100

    /// The kind of work.
    public var task: Task

    /// The folder of the cache for our side; its one file for the floor.
    public var place: String

    /// How often it is done.
    public var count: Int

    /// How many entries are there, or will be.
    public var entries: Int

    /// The size of a payload.
    public var bodyBytes: Int

    /// How many transactions the floor makes of it.
    public var commits: Int

    /// Makes a workload.
    public init(task: Task, place: String, count: Int, entries: Int, bodyBytes: Int, commits: Int = 1) {
        self.task = task
        self.place = place
        self.count = count
        self.entries = entries
        self.bodyBytes = bodyBytes
        self.commits = commits
    }

    /// Reads a workload from the arguments of a side; `nil` if they make none.
    public init?(arguments: [String]) {
        guard arguments.count == 6,
            let task = Task(rawValue: arguments[0]),
            let count = Int(arguments[2]), count > 0,
            let entries = Int(arguments[3]), entries > 0,
            let bodyBytes = Int(arguments[4]), bodyBytes > 0,
            let commits = Int(arguments[5]), commits > 0
        else { return nil }
        self.init(
            task: task,
            place: arguments[1],
            count: count,
            entries: entries,
            bodyBytes: bodyBytes,
            commits: commits
        )
    }

    /// The arguments that ``init(arguments:)`` reads.
    public var arguments: [String] { [task.rawValue, place, "\(count)", "\(entries)", "\(bodyBytes)", "\(commits)"] }

    /// The entry that is read in a turn: one after the other without an order, the same on each side.
    public func entry(inTurn turn: Int) -> Int {
        var bits = UInt64(truncatingIfNeeded: turn) &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % UInt64(entries))
    }

    /// The key of an entry.
    public static func key(of number: Int) -> String {
        let digits = "\(number)"
        return "article-" + String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }
}
