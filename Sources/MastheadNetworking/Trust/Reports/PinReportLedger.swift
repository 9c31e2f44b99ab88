package import FoundationEssentials

/// Which reports wait, which were made lately, and when the next one may be posted: a value without I/O.
package struct PinReportLedger: Sendable {
    /// How long a report stands for all that say the same.
    package static let silence: TimeInterval = 86_400

    /// How many reports one silence may see; who shows a new chain each time fills neither disk nor network.
    package static let maximumRemembered = 1000

    /// How often a report is posted before it is dropped.
    package static let maximumAttempts = 8

    /// What a post came to.
    package enum Outcome: Sendable {
        case delivered
        /// The server of reports does not want it.
        case refused
        /// Something that may go better another time.
        case failed
    }

    /// What follows from a post.
    package struct Step: Sendable, Hashable {
        /// Whether the report is done with.
        package let isDone: Bool

        /// How long to wait before the next post.
        package let wait: Duration

        package init(isDone: Bool, wait: Duration) {
            self.isDone = isDone
            self.wait = wait
        }
    }

    /// When each report was made.
    package private(set) var made: [String: Date]

    /// The reports that wait, the oldest first.
    package private(set) var waiting: [String]

    private var attempts = 0

    /// Goes on with what an earlier process left.
    package init(made: [String: Date] = [:], waiting: [String] = []) {
        self.made = made
        self.waiting = waiting
    }

    /// Remembers a report, unless the same one was made within 24 hours or there are too many.
    ///
    /// Whoever is told `true` keeps the report, and then calls ``enqueue(_:)``.
    package mutating func admits(_ key: String, at date: Date) -> Bool {
        forget(at: date)
        guard made[key] == nil, waiting.count < CertificatePinning.maximumReports, made.count < Self.maximumRemembered
        else { return false }
        made[key] = date
        return true
    }

    /// Has a report wait for its turn.
    package mutating func enqueue(_ key: String) {
        waiting.append(key)
    }

    /// Takes back a report that is gone.
    package mutating func withdraw(_ key: String) {
        waiting.removeAll { $0 == key }
    }

    /// The reports that no longer stand for others, and are no longer remembered.
    @discardableResult
    package mutating func forget(at date: Date) -> [String] {
        // One of the future is of a clock that was wrong: it would be remembered for too long.
        let old = made.filter { abs(date.timeIntervalSince($0.value)) >= Self.silence && !waiting.contains($0.key) }
        for key in old.keys { made[key] = nil }
        return Array(old.keys)
    }

    /// The report to post next; `nil` if none waits.
    package var next: String? { waiting.first }

    /// Notes what a post came to.
    package mutating func ended(_ key: String, _ outcome: Outcome) -> Step {
        attempts += 1
        if case .failed = outcome, attempts < Self.maximumAttempts {
            return Step(isDone: false, wait: min(.seconds(60 << (attempts - 1)), .seconds(3600)))
        }
        let wait: Duration
        if case .failed = outcome {
            // The server did not answer: the reports behind this one need not find that out each for itself.
            wait = .seconds(3600)
            attempts = Self.maximumAttempts - 1
        } else {
            wait = .zero
            attempts = 0
        }
        waiting.removeAll { $0 == key }
        return Step(isDone: true, wait: wait)
    }
}
