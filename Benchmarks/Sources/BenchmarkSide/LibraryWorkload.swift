/// What one side of the area `library` has to do: the same words on the command line of each.
///
/// `bench-library-ours TASK PLACE COUNT ENTRIES [SOURCE]`
public struct LibraryWorkload: Sendable {
    /// The kind of work.
    public enum Task: String, Sendable {
        /// Make a library with assets and no article; nothing is measured.
        case make
        /// Make a library with nothing in it; nothing is measured.
        case makeEmpty
        /// Fill one with articles and their issues, indexed; nothing is measured.
        case fill
        /// Insert all articles in one transaction, to be indexed later.
        case insert
        /// Insert all articles in one transaction, with what is found of them.
        case insertIndexed
        /// Read 10,000 articles by their ids, with their texts, so many times.
        case byID
        /// Read so many pages of 20 of issues, in their order.
        case page
        /// Search so often for a word of 9 articles in 100, and read the 20 best hits.
        case search
        /// Search so often for a word of 94 articles in 100, and read 20 hits.
        case searchCommon
        /// Read pages of 20 on two threads while 100 articles are saved every 10 ms, so many times.
        case readers
        /// Change an article so often, and have its page read anew by who observes it.
        case observe
        /// Write what a server answers to a sync, into the folder that is the source; nothing is measured.
        case record
        /// Bring everything from the server that is the source into an empty library.
        case sync
        /// Ask the server that is the source so often for what has changed, which is nothing.
        case deltaSync
        /// See that a file holds the articles, not indexed; the floor only.
        case check
        /// See that a file holds the articles, indexed; the floor only.
        case checkIndexed
        /// See that a file holds what a sync brings; the floor only.
        case checkSync
    }

    /// How many articles a writer saves at once beside readers.
    public static let batch = 100

    /// How many articles are read at once by their ids.
    public static let most = 10_000

    /// The kind of work.
    public var task: Task

    /// The folder of the library for our side; its one file for the floor.
    public var place: String

    /// How often it is done.
    public var count: Int

    /// How many articles are there, or will be.
    public var entries: Int

    /// A URL or a folder, for the tasks that sync; empty for the others.
    public var source: String

    /// Makes a workload.
    public init(task: Task, place: String, count: Int, entries: Int, source: String = "") {
        self.source = source
        self.task = task
        self.place = place
        self.count = count
        self.entries = entries
    }

    /// Reads a workload from the arguments of a side; `nil` if they make none.
    public init?(arguments: [String]) {
        guard (4...5).contains(arguments.count),
            let task = Task(rawValue: arguments[0]),
            let count = Int(arguments[2]), count > 0,
            let entries = Int(arguments[3]), entries > 0
        else { return nil }
        let source = arguments.count > 4 ? arguments[4] : ""
        self.init(task: task, place: arguments[1], count: count, entries: entries, source: source)
    }

    /// The arguments that ``init(arguments:)`` reads.
    public var arguments: [String] {
        [task.rawValue, place, "\(count)", "\(entries)"] + (source.isEmpty ? [] : [source])
    }
}
