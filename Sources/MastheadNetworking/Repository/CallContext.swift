/// What goes with a call from the pipeline's one end to the other.
struct CallContext: Sendable {
    /// When the call must be over.
    var deadline: Deadline

    /// The session that it was made in; `nil` if it needs none.
    let binding: SessionBinding?

    /// Tells the observer of it; `nil` if there is none.
    let observation: CallObservation?

    /// The span below which its attempts are; `nil` if none is sent.
    let trace: TraceContext?

    /// What the cache has to do with it; `nil` for nothing.
    @Seldom var caching: CallCaching?
}
