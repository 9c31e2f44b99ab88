/// Sends a `traceparent` field with every attempt, so that a server's traces continue the app's (W3C Trace Context).
///
/// ```swift
/// $0.tracing = Tracing { Span.current?.context }
/// ```
///
/// Each attempt is a span of its own below the call's: a retry, a redirect and a poll have new ones. The call's place in a
/// trace is, in this order:
///
/// 1. what a `traceparent` field of the request says that the app itself set, by a header or by an interceptor; one that
///    is no such field is sent as it is;
/// 2. what ``parent`` gives;
/// 3. the start of a new trace.
///
/// A trace stays with the origin that the call asks: where a redirect leads to another one, neither `traceparent` nor
/// `tracestate` is sent there, nor after it. A trace is no secret, but it tells a stranger which of its requests belong
/// together.
public struct Tracing: Sendable {
    /// Whether a trace that starts here is recorded.
    public var isSampled: Bool

    /// Gives the app's own place in a trace, or `nil` if it has none.
    ///
    /// It is called at most once for each call, on the thread the call is on.
    public var parent: @Sendable () -> TraceContext?

    /// Makes a setting.
    ///
    /// - Parameters:
    ///   - isSampled: Whether a trace that starts here is recorded.
    ///   - parent: The app's own place in a trace.
    public init(isSampled: Bool = true, parent: @escaping @Sendable () -> TraceContext? = { nil }) {
        self.isSampled = isSampled
        self.parent = parent
    }
}
