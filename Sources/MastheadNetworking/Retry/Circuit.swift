/// One origin's circuit, with the time passed in.
///
/// Closed, it lets every exchange through and counts failures in a row. Open, it lets none through until its pause is
/// over. Then one goes as a probe: its success closes the circuit, its failure opens it again.
package struct Circuit: Sendable, Hashable {
    /// What an exchange says about the origin.
    package enum Verdict: Sendable, Hashable {
        case success, failure
        /// Nothing: it was cancelled, or never got as far as the origin.
        case none
    }

    /// Stands for an exchange that was let through.
    package struct Ticket: Sendable, Hashable {
        fileprivate let turn: Int
    }

    /// Whether an exchange may take place.
    package enum Admission: Sendable, Hashable {
        case admitted(Ticket)
        case refused(retryAfter: Duration)
    }

    private enum State: Hashable {
        case closed(failures: Int)
        case open(until: Duration)
        case probing
    }

    private let threshold: Int
    private let pause: Duration
    /// Counts the changes of state: what was let through before one says nothing about what came after.
    private var turns = 0
    private var state = State.closed(failures: 0)

    /// Makes a closed circuit.
    ///
    /// - Parameters:
    ///   - threshold: How many failures in a row open it.
    ///   - pause: How long it then stays open.
    package init(threshold: Int, pause: Duration) {
        self.threshold = max(threshold, 1)
        self.pause = max(pause, .zero)
    }

    /// How long it would refuse everything; `nil` if it would let an exchange through.
    package func refusal(at now: Duration) -> Duration? {
        switch state {
        case .closed: nil
        case .open(let moment): moment > now ? moment - now : nil
        case .probing: pause
        }
    }

    /// Lets an exchange through or not; what it came to must be told to ``record(_:of:at:)``.
    package mutating func admit(at now: Duration) -> Admission {
        if let refusal = refusal(at: now) { return .refused(retryAfter: refusal) }
        if case .open = state { turn(to: .probing) }
        return .admitted(Ticket(turn: turns))
    }

    /// Takes in what an exchange came to.
    package mutating func record(_ verdict: Verdict, of ticket: Ticket, at now: Duration) {
        guard ticket.turn == turns else { return }
        switch (state, verdict) {
        case (.closed(let failures), .failure) where failures + 1 < threshold:
            state = .closed(failures: failures + 1)
        case (.closed, .failure), (.probing, .failure): turn(to: .open(until: now + pause))
        case (.closed, .success): state = .closed(failures: 0)
        case (.probing, .success): turn(to: .closed(failures: 0))
        // The next one may probe.
        case (.probing, .none): turn(to: .open(until: now))
        case (.closed, .none), (.open, _): break
        }
    }

    private mutating func turn(to next: State) {
        state = next
        turns += 1
    }
}

extension Circuit.Verdict {
    /// What the outcome of an exchange says about the origin.
    ///
    /// It failed if no whole answer came from it, or one of 500 and more; it did not if it refused. What ended on this
    /// side of the network says nothing.
    package init(_ outcome: Result<HTTPResponse, RepositoryError>) {
        self =
            switch outcome {
            case .success(let response): response.status >= 500 ? .failure : .success
            case .failure(.dns), .failure(.refused), .failure(.tls), .failure(.connectionLost),
                .failure(.timeout(.connect)), .failure(.timeout(.idle)), .failure(.timeout(.total)),
                .failure(.incompleteBody), .failure(.corruptBody), .failure(.invalidResponse):
                .failure
            case .failure(.bodyTooLarge): .success
            case .failure: .none
            }
    }
}
