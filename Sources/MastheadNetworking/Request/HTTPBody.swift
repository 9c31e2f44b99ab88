public import FoundationEssentials
package import MastheadTransport

/// What a request carries, as it goes to the wire.
///
/// ```swift
/// request.body = .data(Data("{}".utf8))
/// let bytes = request.body?.data
/// ```
///
/// An app usually writes a ``RequestBody``, and a repository makes this of it. A body of files is read while it is sent,
/// so its size doesn't matter; one of a stream is made while it is sent, and can be sent once.
public struct HTTPBody: Sendable {
    /// Where the bytes come from.
    package enum Source: Sendable, Hashable {
        case data(Data)
        case parts([BodyPart])
        case stream(StreamedBody)
    }

    package let source: Source

    /// Learns how far the sending is; `nil` for nobody.
    package var onProgress: (@Sendable (TransferProgress) -> Void)?

    package init(_ source: Source) {
        self.source = source
    }

    /// Bytes in memory.
    public static func data(_ data: Data) -> HTTPBody {
        HTTPBody(.data(data))
    }

    /// The bytes, if they are all in memory; `nil` if they are read or made while they are sent.
    public var data: Data? {
        guard case .data(let data) = source else { return nil }
        return data
    }

    /// How many bytes there are; `nil` if that is not known before they were sent.
    public var length: Int? {
        switch source {
        case .data(let data): data.count
        case .parts(let parts): parts.reduce(0) { $0 + $1.length }
        case .stream(let stream): stream.length
        }
    }

    /// Whether the same bytes can be sent again: to where a redirect points, or after a failure.
    public var isReplayable: Bool {
        if case .stream = source { return false }
        return true
    }
}

extension HTTPBody: Hashable {
    /// Whether both send the same bytes; of streams only one and the same is equal, and who learns of the progress does
    /// not matter.
    public static func == (left: HTTPBody, right: HTTPBody) -> Bool { left.source == right.source }

    /// Hashes what tells two bodies apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
    }
}
