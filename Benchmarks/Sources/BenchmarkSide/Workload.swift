/// What one side has to do: the same words on the command line of each of the three.
///
/// `bench-ours TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES FILE`
public struct Workload: Sendable {
    /// The kind of work.
    public enum Task: String, Sendable {
        /// Fetch a body again and again over warm connections.
        case fetch
        /// Fetch all at once, over no connection yet, with the client's own defaults.
        case cold
        /// Fetch into files.
        case download
        /// Send a form with ``Workload/formFields`` and a file.
        case upload
        /// Fetch and decode a list of articles.
        case decode
        /// Fetch as ``fetch`` does, from a server whose key is pinned; ours only.
        case pinned
        /// Fetch with the executor alone, without a repository; ours only.
        case executor
        /// Fetch with a repository, and say what its pipeline costs over an executor that answers from memory; ours only.
        case pipeline
    }

    /// The fields of the form that an upload sends before its file, which is the part `file`, named `issue.bin`.
    public static let formFields = [("title", "Tidewater, Spring"), ("number", "7")]

    /// The kind of work.
    public var task: Task

    /// What to fetch.
    public var url: String

    /// How many requests are measured.
    public var requests: Int

    /// How many are under way at once.
    public var concurrency: Int

    /// How many requests come before the measured ones.
    public var warmUp: Int

    /// The size that every body must have; of an upload, the size of the file.
    public var bodyBytes: Int

    /// The PEM file of the certificate authorities to trust; `nil` for those of the system.
    public var authorities: String?

    /// The file to send, what the names of the files to write begin with, or the file of the pins, one a line; `nil` if
    /// the task has to do with none.
    public var file: String?

    /// Makes a workload.
    public init(
        task: Task,
        url: String,
        requests: Int,
        concurrency: Int,
        warmUp: Int,
        bodyBytes: Int,
        authorities: String?,
        file: String?
    ) {
        self.task = task
        self.url = url
        self.requests = requests
        self.concurrency = concurrency
        self.warmUp = warmUp
        self.bodyBytes = bodyBytes
        self.authorities = authorities
        self.file = file
    }

    /// Reads a workload from the arguments of a side; `nil` if they make none.
    public init?(arguments: [String]) {
        guard arguments.count == 8,
            let task = Task(rawValue: arguments[0]),
            let requests = Int(arguments[2]), requests > 0,
            let concurrency = Int(arguments[3]), concurrency > 0,
            let warmUp = Int(arguments[4]), warmUp >= 0,
            let bodyBytes = Int(arguments[5]), bodyBytes >= 0
        else { return nil }
        self.init(
            task: task,
            url: arguments[1],
            requests: requests,
            concurrency: concurrency,
            warmUp: warmUp,
            bodyBytes: bodyBytes,
            authorities: arguments[6] == "-" ? nil : arguments[6],
            file: arguments[7] == "-" ? nil : arguments[7]
        )
    }

    /// The arguments that ``init(arguments:)`` reads.
    public var arguments: [String] {
        [
            task.rawValue, url, "\(requests)", "\(concurrency)", "\(warmUp)", "\(bodyBytes)", authorities ?? "-",
            file ?? "-",
        ]
    }

    /// The requests of the warm-up, its first one among them, and those that are measured.
    public var requestsInAll: Int { requests + (warmUp == 0 ? 0 : 1 + warmUp) }

    /// The port of the server.
    var port: UInt16? {
        url.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap { UInt16($0) }
    }

    /// The address of the server's small file, whatever the task fetches.
    public var smallURL: String {
        url.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/small.json"
    }
}
