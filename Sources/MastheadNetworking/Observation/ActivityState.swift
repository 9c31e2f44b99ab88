/// How many calls are under way, and whether that is to be shown: a value that is told the time.
///
/// A change of the count does not show at once: it plans a turn, and the opposite change within the delay takes the plan
/// back. Nothing needs to run when the planned moment comes, since every question is asked with the time.
package struct ActivityState: Sendable {
    let startDelay: Duration
    let stopDelay: Duration

    /// The calls under way.
    package private(set) var callsInFlight = 0

    /// When ``isActive(at:)`` changes if nothing happens before; `nil` for never.
    package private(set) var turn: Duration?

    /// What was shown when the state was last settled.
    private(set) var wasActive = false

    package init(startDelay: Duration, stopDelay: Duration) {
        self.startDelay = startDelay
        self.stopDelay = stopDelay
    }

    /// Whether there is activity to show.
    package func isActive(at now: Duration) -> Bool {
        turn.map { $0 <= now } == true ? !wasActive : wasActive
    }

    /// Counts a call that starts.
    package mutating func begin(at now: Duration) {
        settle(at: now)
        callsInFlight += 1
        guard callsInFlight == 1 else { return }
        plan(active: true, at: now + startDelay)
    }

    /// Counts a call that is over.
    package mutating func end(at now: Duration) {
        settle(at: now)
        guard callsInFlight > 0 else { return }
        callsInFlight -= 1
        guard callsInFlight == 0 else { return }
        plan(active: false, at: now + stopDelay)
    }

    /// Carries out a plan whose moment has come.
    mutating func settle(at now: Duration) {
        guard let turn, turn <= now else { return }
        wasActive.toggle()
        self.turn = nil
    }

    private mutating func plan(active: Bool, at moment: Duration) {
        turn = active == wasActive ? nil : moment
    }
}
