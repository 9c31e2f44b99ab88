/// What an answer means for a part file.
package enum ResumeDecision: Sendable, Hashable {
    /// The body is all of it: empty the part file, keep the new state, or none, and write from the beginning.
    case begin(ResumeState?)

    /// The body is these bytes of the file, the first of them not beyond what is there.
    ///
    /// The download is over when the file has `size` bytes; while that is not known, only ``whole`` says so.
    case write(Range<Int>, size: Int?)

    /// What is there is the whole; check it.
    case whole

    /// The body belongs to something else: empty the part file, and ask again from the beginning.
    case restart

    /// The answer says nothing of the bytes (a refusal, say): leave what is there as it is.
    case keep
}
