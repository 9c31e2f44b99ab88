import FoundationEssentials

/// What pins said of a connection, and for how long that holds.
final class PinJudgement: Sendable {
    /// Why nothing may be sent on it; `nil` if it may.
    let refusal: PinRefusal?

    private let origin: String
    private let generation: UInt64
    private let end: Date?

    init(origin: String, generation: UInt64, end: Date?, refusal: PinRefusal?) {
        self.origin = origin
        self.generation = generation
        self.end = end
        self.refusal = refusal
    }

    /// Whether it needs no thinking over.
    func holds(for origin: Origin, _ generation: UInt64, at now: @autoclosure () -> Date) -> Bool {
        self.generation == generation && self.origin == origin.text && end.map { now() < $0 } ?? true
    }
}
