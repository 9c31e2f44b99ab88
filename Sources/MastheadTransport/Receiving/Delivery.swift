/// How an answer's body reaches whoever asked for it.
enum Delivery: Sendable {
    /// It comes with the answer, whole.
    case whole
    /// The answer comes with its head, and the body through a channel.
    case channel(BodyChannel)
    /// It goes into a file.
    case file(FileTarget)

    /// What takes the body of one attempt; of what it keeps in memory, no more than `limit`.
    func makeSink(limit: Int) -> any BodySink {
        switch self {
        case .whole: WholeBody(limit: limit)
        case .channel(let channel): channel
        case .file(let target): FileSink(target, limit: limit)
        }
    }
}
