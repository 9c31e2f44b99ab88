/// One thing that happened in a call; see ``NetworkObserver``.
///
/// ```swift
/// for await event in events.events { console.append("\(event)") }
/// // call 7: attempt 1: GET https://api.example.com/v2/volumes: status 200 in 34 ms
/// ```
public struct NetworkEvent: Sendable {
    /// What can happen.
    @nonexhaustive
    public enum Kind: Sendable {
        /// A call starts; there is no URL if none could be made.
        case callStarted(method: HTTPMethod, url: RedactedURL?)

        /// A request is handed to the executor, where it may wait for a place first.
        ///
        /// Attempts are counted through the call: its polls, its redirects and its retries.
        case attemptStarted(number: Int, method: HTTPMethod, url: RedactedURL)

        /// An attempt is over.
        case attemptFinished(ExchangeRecord)

        /// An attempt will be followed by another, after a wait.
        case retrying(after: NetworkOutcome, wait: Duration)

        /// A redirect is followed, with this status to this URL.
        case redirected(status: Int, to: RedactedURL)

        /// The server is not done yet, and is asked again after a wait.
        case polling(wait: Duration)

        /// The call waits for the exchange of another call, instead of making its own.
        ///
        /// The attempts are told of under the other call's number, even after that one was given up.
        case coalesced(with: Int)

        /// What is kept was served: without asking, after the server confirmed it, or in the place of its failure.
        case served(from: CacheOrigin)

        /// The call wants a new token of its session: the one it has was refused, or ends soon. It waits for it if its own is
        /// of no use any more.
        ///
        /// However many calls wait, one renewal serves them all.
        case renewing(isRefused: Bool)

        /// The wait is over: there is a new token, or why there is none.
        case renewed(failure: NetworkOutcome.Failure?)

        /// A call is over.
        case callFinished(CallRecord)
    }

    /// The call's number; each call of the process has its own.
    public let call: Int

    /// When it happened, on ``NetworkingConfiguration/time``.
    public let time: Duration

    /// The span it belongs to: an attempt's own, else the call's; `nil` without ``NetworkingConfiguration/tracing``.
    public let trace: TraceContext?

    /// What happened.
    public let kind: Kind
}

extension NetworkEvent: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String { "call \(call): \(kind)" }
}

extension NetworkEvent.Kind: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch self {
        case .callStarted(let method, let url): "\(method) \(url.map { "\($0)" } ?? "without a URL") starts"
        case .attemptStarted(let number, let method, let url): "attempt \(number): \(method) \(url)"
        case .attemptFinished(let record): "\(record)"
        case .retrying(let outcome, let wait): "again in \(wait.wholeMilliseconds) ms, after \(outcome)"
        case .redirected(let status, let url): "redirected by \(status) to \(url)"
        case .polling(let wait): "not done yet, again in \(wait.wholeMilliseconds) ms"
        case .coalesced(let other): "waits for call \(other)"
        case .served(let origin): "served from the cache (\(origin))"
        case .renewing(true): "the token was refused, waits for another"
        case .renewing(false): "the token ends soon, asks for another"
        case .renewed(nil): "has a token to use"
        case .renewed(let failure?): "has no token to use: \(failure.description)"
        case .callFinished(let record): "\(record)"
        }
    }
}
