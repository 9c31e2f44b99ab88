extension TransferSet {
    /// Waits for the answer to what was just sent, if its server is one that answers at once, and receives it: the caller
    /// then has it without a change of threads.
    ///
    /// This blocks the caller's thread, which may be one of Swift's: the one exception to the rule that nothing does, bounded
    /// by ``AnswerPace``. Nobody is held up for longer than that either; what is asked of the loop meanwhile (another
    /// exchange, a cancellation) waits in its queue. An answer that comes in pieces is waited for no longer in all.
    ///
    /// - Returns: Whether it waited, with success or without.
    func awaitAnswer(to transfer: Transfer) -> Bool {
        // It may have come while the request was sent.
        if isEmpty { return false }
        callersReceive = false
        // Of one whose head is enough for now, it would receive the body too.
        guard case .whole = transfer.delivery, var socket = onlySocket else { return false }
        let start = Self.now
        transfer.sentAt = start
        guard let wait = paces[transfer.origin].wait() else { return false }
        waitCount += 1
        renewSpent()
        var left = wait
        while left > .zero, multi.awaitBytes(on: socket, for: left) {
            advance()
            if isEmpty {
                paces[transfer.origin].noteSuccess()
                callersReceive = true
                return true
            }
            guard let next = onlySocket else { break }
            socket = next
            left = start + wait - Self.now
        }
        paces[transfer.origin].noteFailure()
        return true
    }
}
