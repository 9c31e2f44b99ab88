import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that takes an answer's body, open for writing as long as the exchange lasts.
package struct FileTarget: Sendable {
    /// What becomes of a body.
    package enum Decision: Sendable, Hashable {
        /// It is written from this offset on, and is no longer than said; what the file has beyond the offset goes.
        case write(at: Int, atMost: Int?)
        /// It is no part of the file: kept in memory, as the body of a refusal.
        case keep
    }

    package var descriptor: Int32

    /// Decides by the head, before a byte is written; on the loop's thread.
    package var decide: @Sendable (ResponseHead) throws(TransportError) -> Decision

    /// Learns how long the file has become, and how long it will be, if that is known; on the loop's thread.
    package var onProgress: (@Sendable (_ length: Int, _ expected: Int?) -> Void)?

    /// Whether nobody wants the file any more: asked whenever something is written, since a fast server may send tens of
    /// mebibytes before the loop looks at its commands again.
    var isUnwanted: @Sendable () -> Bool = { false }

    package init(
        descriptor: Int32,
        decide: @escaping @Sendable (ResponseHead) throws(TransportError) -> Decision,
        onProgress: (@Sendable (_ length: Int, _ expected: Int?) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.decide = decide
        self.onProgress = onProgress
    }
}

/// Writes the body into a file as it arrives, its codings undone.
///
/// libcurl hands a body over in pieces of 16 KiB, and to write each would cost more than to copy it first. They are gathered,
/// and written when there are 128 KiB and at the end of each pass over the sockets. Writing may block, so this runs on the
/// loop that does nothing but files.
final class FileSink: BodySink {
    private static let mostGathered = 128 << 10

    private let target: FileTarget
    private let kept: WholeBody
    private var decision = FileTarget.Decision.keep
    /// How long the file is.
    private var offset = 0
    /// How long it is to be, if that is known: of a coded body it is not.
    private var promised: Int?
    private var decoder: ContentDecoder?
    /// What is to be written at the offset.
    private var gathered: [UInt8] = []

    init(_ target: FileTarget, limit: Int) {
        self.target = target
        kept = WholeBody(limit: limit)
    }

    func begin(_ head: ReceivedHead) throws(TransportError) {
        guard let head = ResponseHead(lines: head.lines, status: head.status) else {
            throw .invalidResponse("no status line")
        }
        decision = try target.decide(head)
        guard case .write(let start, _) = decision else { return }
        offset = start
        // Of a coded body no part is asked for: what comes begins at the beginning.
        let codings = try ContentCoding.list(in: head.headers)
        if !codings.isEmpty { decoder = try ContentDecoder(codings) }
        guard ftruncate(target.descriptor, off_t(start)) == 0 else { throw Self.failure() }
    }

    func take(_ bytes: UnsafeRawBufferPointer, expected: Int) throws(TransportError) -> Bool {
        guard case .write(let start, let limit) = decision else { return try kept.take(bytes, expected: expected) }
        guard offset + gathered.count - start + bytes.count <= limit ?? .max else {
            throw .invalidResponse("more of the body than its range")
        }
        if decoder == nil {
            promised = expected > 0 ? start + expected : nil
            try gather(bytes)
        } else {
            try decoder?.decode(bytes) { (piece) throws(TransportError) in try gather(piece) }
        }
        return true
    }

    func flush() throws(TransportError) {
        guard !gathered.isEmpty else { return }
        guard !target.isUnwanted() else { throw .cancelled }
        defer { gathered.removeAll(keepingCapacity: true) }
        var written = 0
        while written < gathered.count {
            let count = gathered.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return pwrite(target.descriptor, rest.baseAddress, rest.count, off_t(offset))
            }
            if count > 0 {
                offset += count
                written += count
            } else if count == 0 || errno != EINTR {
                throw Self.failure()
            }
        }
        target.onProgress?(offset, promised)
    }

    func end() throws(TransportError) -> Data {
        try decoder?.finish()
        try flush()
        return kept.end()
    }

    private func gather(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if gathered.isEmpty { gathered.reserveCapacity(Self.mostGathered) }
        if gathered.count + bytes.count > Self.mostGathered { try flush() }
        gathered.append(contentsOf: bytes)
    }

    private static func failure() -> TransportError {
        .file("the download cannot be written: \(String(cString: strerror(errno)))")
    }
}
