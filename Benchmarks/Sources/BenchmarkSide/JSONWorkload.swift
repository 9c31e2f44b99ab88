public import FoundationEssentials

/// What one side of the area `json` has to do: the same words on the command line of each.
///
/// `bench-json-ours TASK FILE COUNT WARM-UP`
public struct JSONWorkload: Sendable {
    /// The kind of work.
    public enum Task: String, Sendable {
        /// Decode a list of articles, all of it.
        case list
        /// Decode four of the twenty members that each of a list's entries has.
        case fields
        /// Decode one article of 3 KB.
        case single
    }

    /// The kind of work.
    public var task: Task

    /// The file with the JSON.
    public var file: String

    /// How often it is measured.
    public var count: Int

    /// How often it is done before.
    public var warmUp: Int

    /// Makes a workload.
    public init(task: Task, file: String, count: Int, warmUp: Int) {
        self.task = task
        self.file = file
        self.count = count
        self.warmUp = warmUp
    }

    /// Reads a workload from the arguments of a side; `nil` if they make none.
    public init?(arguments: [String]) {
        guard arguments.count == 4, let task = Task(rawValue: arguments[0]), let count = Int(arguments[2]), count > 0,
            let warmUp = Int(arguments[3]), warmUp >= 0
        else { return nil }
        self.init(task: task, file: arguments[1], count: count, warmUp: warmUp)
    }

    /// The arguments that ``init(arguments:)`` reads.
    public var arguments: [String] { [task.rawValue, file, "\(count)", "\(warmUp)"] }

    /// Reads the file, decodes as often as is wanted, and measures.
    ///
    /// - Parameters:
    ///   - list: Decodes a list; says how many articles it has.
    ///   - fields: Decodes four members of each of its entries; says how many entries there are.
    ///   - single: Decodes one article; says how many it is.
    /// - Returns: How long each time took, and by how much the memory grew.
    /// - Throws: What decoding throws, or ``WrongBody`` if another number of entries came of it.
    public func measure(
        list: @escaping (Data) throws -> Int,
        fields: @escaping (Data) throws -> Int,
        single: @escaping (Data) throws -> Int
    ) throws -> SideResult {
        let bytes = try Data(contentsOf: URL(filePath: file))
        let before = ProcessUsage.now.peakMiB
        var latencies: [UInt64] = []
        latencies.reserveCapacity(count)
        let decode =
            switch task {
            case .list: list
            case .fields: fields
            case .single: single
            }
        let entries = task == .single ? 1 : 1000
        func once() throws -> UInt64 {
            let start = monotonicNanoseconds()
            let found = try decode(bytes)
            let time = monotonicNanoseconds() - start
            guard found == entries else { throw WrongBody(expected: entries, found: found) }
            return time
        }
        for _ in 0..<warmUp { _ = try once() }
        let span = Span()
        for _ in 0..<count { latencies.append(try once()) }
        var result = span.result(of: latencies, bytes: bytes.count)
        result.grownMiB = ProcessUsage.now.peakMiB - before
        return result
    }
}
