import FoundationEssentials
import MastheadNetworking

// How the body of the request is taken. An answer that says it is chosen when the request's head has come: it must be
// the next one in order, stand in the routes, or come from the closure that is asked for heads.
extension ScriptedServer.Answer {
    /// The answer, sent before the request's body has been read, as a server does that wants none of it.
    ///
    /// ```swift
    /// .text("too large", status: 413).early()                         // the rest is read; the connection stays
    /// .text("too large", status: 413).early().closing()               // the rest is passed over; then it is closed
    /// .text("too large", status: 413).early().reset(afterBodyBytes: .max)
    /// ```
    ///
    /// A request without a body, or with a shorter one, is answered when it is whole. One that expects `100 Continue` gets
    /// none if nothing of its body is read.
    ///
    /// - Parameter count: How much of the request's body is read before.
    /// - Returns: The answer, sent so.
    public func early(afterBodyBytes count: Int = 0) -> Self {
        taking { $0.answersAfter = max(0, count) }
    }

    /// The answer to a request whose body is read up to so many bytes, and on when the gate is open.
    ///
    /// A client may have sent more than that: what is not read fills the buffers of the connection, some hundred kilobytes.
    public func uploadHeld(until gate: ScriptedServer.Gate, afterBodyBytes count: Int = 0) -> Self {
        taking { $0.pauses.append(Pause(bodyOffset: max(0, count), reason: .gate(gate))) }
    }

    /// The answer to a request whose body is read in pieces, each when the gate lets it through.
    public func uploadTrickling(bytes: Int, behind gate: ScriptedServer.Gate) -> Self {
        taking {
            $0.pieceSize = max(1, bytes)
            $0.step = .gate(gate)
        }
    }

    /// The answer to a request whose body is read in pieces, with a pause by the machine's clock before each.
    public func uploadTrickling(bytes: Int, every pause: Duration) -> Self {
        taking {
            $0.pieceSize = max(1, bytes)
            $0.step = .delay(pause)
        }
    }

    /// The answer to a request of whose body, and of each of its parts, no more than so many bytes are kept.
    ///
    /// The length and the digest of a ``ScriptedServer/ReceivedRequest`` are of all of it, so that a body of any size can
    /// be checked without memory for it.
    public func uploadKept(bytes: Int) -> Self {
        taking { $0.keptBytes = max(0, bytes) }
    }

    /// The answer to a request that is not asked for its body, though it waits for `100 Continue`: the client has to
    /// begin by itself (RFC 9110, section 10.1.1).
    public func withoutContinue() -> Self {
        taking { $0.sendsContinue = false }
    }

    private func taking(_ change: (inout Upload) -> Void) -> Self {
        with { answer in
            var upload = answer.upload ?? Upload()
            change(&upload)
            answer.upload = upload
        }
    }

    /// How the body of the request is taken.
    struct Upload: Sendable {
        /// How much of it is read before the answer is sent; `nil` for all.
        var answersAfter: Int?
        var pauses: [Pause] = []
        var pieceSize = Int.max
        /// What every piece waits for.
        var step: Pause.Reason?
        var keptBytes = 64 << 20
        var sendsContinue = true
    }
}
