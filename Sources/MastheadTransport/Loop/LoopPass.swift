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

    /// Those with files for which something has moved in this pass.
    private var writers: [Transfer] = []

    init(trust: LoopTrust) {
        self.trust = trust
    }

    /// Learns that something has moved for an exchange with a file.
    func note(writer: Transfer) {
        writers.append(writer)
    }

    /// Has what arrived for files written.
    ///
    /// - Returns: Those for which that failed, and how.
    func flush() -> [(Transfer, TransportError)] {
        defer { writers.removeAll(keepingCapacity: true) }
        return writers.compactMap { writer in writer.flush().map { (writer, $0) } }
    }
}
