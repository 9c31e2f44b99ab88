/// Which of its passes over every transfer a loop is in, and what it keeps from one to the next: touched by the thread
/// alone that has the loop's transfers.
final class LoopPass {
    var number: UInt64 = 0
    let kept = KeptSockets()
    /// Decides which servers exchanges may be sent to.
    let trust: LoopTrust

    init(trust: LoopTrust) {
        self.trust = trust
    }
}
