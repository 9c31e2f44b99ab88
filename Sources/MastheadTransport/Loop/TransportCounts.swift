/// What a loop holds at one moment.
package struct TransportCounts: Sendable, Hashable {
    /// Exchanges with a libcurl handle.
    package var active = 0
    /// Exchanges waiting for a place.
    package var waiting = 0
    /// Handles kept for the next exchange.
    package var pooled = 0
    /// How often a caller has waited for an answer on the spot; see ``AnswerPace``.
    package var waits = 0

    package init(active: Int = 0, waiting: Int = 0, pooled: Int = 0, waits: Int = 0) {
        self.active = active
        self.waiting = waiting
        self.pooled = pooled
        self.waits = waits
    }
}
