/// Which of its passes over every transfer a loop is in, and what it keeps from one to the next: touched by the thread
/// alone that has the loop's transfers.
final class LoopPass {
    var number: UInt64 = 0
    let kept = KeptSockets()
    let renewals = Renewals()
    /// Kept connections that were refused in this pass, and are to be closed after it.
    var refused: [KeptSockets.Ends] = []
    /// Decides which servers exchanges may be sent to.
    let trust: LoopTrust

    /// Those that are under way.
    weak var transfers: TransferSet?

    init(trust: LoopTrust) {
        self.trust = trust
    }
}
