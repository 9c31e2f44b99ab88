/// How the body of an answer that is no refusal is wanted.
package enum BodyDelivery: Sendable, Hashable {
    /// In memory, with the answer.
    case whole
    /// Piece by piece, after the head.
    case stream
    /// In a file.
    case file(PartFile)

    /// Whether it is wanted in a file.
    var isIntoFile: Bool {
        if case .file = self { return true }
        return false
    }
}
