import BenchmarkSide

/// One thing that is measured, and by whom.
struct Scenario: Sendable {
    /// What is fetched.
    enum Resource: Sendable {
        /// About 200 bytes of JSON.
        case small
        /// 1,000 articles, about 610 KB of JSON.
        case list
        /// 256 MiB.
        case big
        /// Nothing: 256 MiB are sent.
        case form
    }

    /// What a result counts.
    enum Unit: String, Sendable {
        case requests = "req/s"
        case entries = "entries/s"
        case opens = "opens/s"
        case documents = "documents/s"
        case articles = "articles/s"
        case pages = "pages/s"
        case searches = "searches/s"
        case changes = "changes/s"
        case syncs = "syncs/s"
        case mebibytes = "MiB/s"
    }

    /// The three that take part.
    enum Side: String, CaseIterable, Sendable {
        case ours
        case peer
        case floor
    }

    /// A side's part: a program of ours, what it does, and how often.
    struct Part: Sendable {
        /// The name of the program, beside the driver's.
        let program: String

        /// What it does.
        let task: Task

        /// How many requests are measured: enough for about a second, so the slower side makes fewer.
        var requests: Int

        /// Something that a side of the HTTP areas does.
        init(program: String, task: Workload.Task, requests: Int) {
            self.init(program: program, task: .exchange(task), requests: requests)
        }

        /// Something that a side does.
        init(program: String, task: Task, requests: Int) {
            self.program = program
            self.task = task
            self.requests = requests
        }
    }

    /// What a side does, by the words of its area.
    enum Task: Sendable {
        case exchange(Workload.Task)
        case cache(CacheWorkload.Task)
        case json(JSONWorkload.Task)
        case library(LibraryWorkload.Task)
    }

    /// What is done with the time that encoding or decoding takes by itself, which C has no part in.
    enum Coding: Sendable {
        /// Nothing.
        case counted
        /// It is added to the floor's time.
        case added
        /// The floor has it done as well as two threads can share it with the writing: its time is the mean of both, or
        /// that of the writing if that is longer.
        case shared
    }

    /// The name in the output, as `http.sequential`.
    let name: String

    /// What the result counts.
    var unit = Unit.requests

    /// The port.
    var endpoint = Endpoint.plain

    /// What is fetched.
    var resource = Resource.small

    /// How many requests are under way at once.
    var concurrency = 1

    /// How many requests come before the measured ones.
    var warmUp = 200

    /// How many entries a cache has, or gets.
    var entries = 0

    /// What is done with the time of encoding or decoding.
    var coding = Coding.counted

    /// Whether the server's authority stands among all of the system's, or alone.
    var trustsSystem = false

    /// How many connections our side and the floor must have open at the end; `nil` if any number will do.
    var connections: Int?

    /// Who takes part.
    var parts: [Side: Part]

    /// The ratio of floor to peer below which a run says nothing.
    var voidBelow: Double?

    /// What a reader of the result has to know.
    var note: String
}
