import MastheadLock

/// Stops asking an origin that does not answer, and finds out by one request at a time whether it does again.
///
/// ```swift
/// $0.circuitBreaker = CircuitBreaker(failures: 5, pause: .seconds(30))
///
/// case .failure(.circuitOpen(_, let wait)): showUnavailable(askAgainIn: wait)
/// ```
///
/// After so many failures in a row, the origin's circuit is open: each call ends at once in
/// ``RepositoryError/circuitOpen(host:retryAfter:)``, and nothing is sent. When the pause is over, one request goes
/// through as a probe; an answer closes the circuit, a failure opens it for another pause.
///
/// A failure is an exchange without a whole answer (no address, no connection, a time-out, a body that is cut), or a
/// status of 500 and more. Other refusals are answers; a cancelled call, and a machine without a network, say nothing.
/// Each retry and each redirect is an exchange of its own.
///
/// An origin is a scheme, a host and a port; the last 256 are remembered. One may serve several configurations. It is
/// safe to use from any thread.
public final class CircuitBreaker: Sendable {
    private let failures: Int
    private let pause: Duration
    private let circuits = Lock(OriginTable<Circuit>())

    /// Makes a breaker whose circuits are closed.
    ///
    /// - Parameters:
    ///   - failures: How many failures in a row open a circuit; at least 1.
    ///   - pause: How long it then stays open.
    public init(failures: Int = 5, pause: Duration = .seconds(30)) {
        self.failures = failures
        self.pause = pause
    }

    /// Lets an exchange through.
    ///
    /// - Returns: What stands for it; what it came to must be told to ``record(_:of:to:at:)``.
    /// - Throws: ``RepositoryError/circuitOpen(host:retryAfter:)``.
    package func admit(to origin: Origin, at now: Duration) throws(RepositoryError) -> Circuit.Ticket {
        switch update(origin, { $0.admit(at: now) }) {
        case .admitted(let ticket): return ticket
        case .refused(let wait): throw .circuitOpen(host: origin.host, retryAfter: wait)
        }
    }

    /// Takes in what an exchange came to.
    package func record(_ verdict: Circuit.Verdict, of ticket: Circuit.Ticket, to origin: Origin, at now: Duration) {
        update(origin) { $0.record(verdict, of: ticket, at: now) }
    }

    /// Whether an exchange would be refused at a moment, as far as is known now.
    package func refuses(_ origin: Origin, at moment: Duration) -> Bool {
        circuits.withLock { $0[origin]?.refusal(at: moment) != nil }
    }

    private func update<Output: Sendable>(_ origin: Origin, _ change: (inout Circuit) -> Output) -> Output {
        circuits.withLock { $0.update(origin, startingWith: Circuit(threshold: failures, pause: pause), change) }
    }
}
