package import FoundationEssentials

/// What a request carries.
package enum TransportBody: Sendable {
    /// Bytes in memory.
    case data(Data)

    /// Bytes and stretches of files, one after the other; they are read as they are sent.
    case parts([BodyPart])

    /// Bytes that somebody writes into a pipe meanwhile; `nil` for a length that nobody knows. It can be sent once.
    case stream(BodyPipe, length: Int?)

    /// How many bytes there are; `nil` if nobody knows.
    package var length: Int? {
        switch self {
        case .data(let data): data.count
        case .parts(let parts): parts.reduce(0) { $0 + $1.length }
        case .stream(_, let length): length
        }
    }

    /// Whether the same bytes can be had a second time.
    var isReplayable: Bool {
        if case .stream = self { return false }
        return true
    }

    /// Whether sending it reads files, which may block.
    var readsFiles: Bool {
        guard case .parts(let parts) = self else { return false }
        return parts.contains { if case .file = $0 { true } else { false } }
    }
}

/// A piece of a body.
package enum BodyPart: Sendable, Hashable {
    case data(Data)
    /// So many bytes of a file, from an offset on.
    case file(path: String, offset: Int, length: Int)

    package var length: Int {
        switch self {
        case .data(let data): data.count
        case .file(_, _, let length): length
        }
    }
}
