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

    /// Those for whose files something may have arrived in this pass.
    private var writers: [Transfer] = []

    init(trust: LoopTrust) {
        self.trust = trust
    }

    /// Learns that something may arrive for an exchange's file.
    func note(writer: Transfer) {
        writers.append(writer)
    }

    /// Has written what arrived for files.
    ///
    /// - Returns: Those for which that failed, and how.
    func flush() -> [(Transfer, TransportError)] {
        defer { writers.removeAll(keepingCapacity: true) }
        return writers.compactMap { writer in writer.flush().map { (writer, $0) } }
    }
}
