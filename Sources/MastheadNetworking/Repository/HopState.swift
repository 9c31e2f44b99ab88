/// What changes of a call from hop to hop, while the rest of it is handed on as it is.
struct HopState: Sendable {
    /// The span below which the attempts are; `nil` if none is sent.
    var trace: TraceContext?

    /// Whether the signer is asked: there is one, and the request never went to another origin than the configured one.
    var isSigned = false

    /// What is sent again; `nil` for nothing.
    var plan: RetryPlan?
}
