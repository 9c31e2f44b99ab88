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
        /// It is written from this offset on; what the file has beyond it goes.
        case write(at: Int)
        /// It is no part of the file: kept in memory, as the body of a refusal.
        case keep
    }

    package var descriptor: Int32

    /// Decides by the head, before a byte is written; on the loop's thread.
    package var decide: @Sendable (ResponseHead) throws(TransportError) -> Decision

    /// Learns how long the file has become, and how long it will be, if that is known; on the loop's thread.
    package var onProgress: (@Sendable (_ length: Int, _ expected: Int?) -> Void)?

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

/// Writes the body into a file as it arrives.
///
/// Writing may block, so this runs on the loop that does nothing but files.
final class FileSink: BodySink {
    private let target: FileTarget
    private let kept: WholeBody
    private var decision = FileTarget.Decision.keep
    private var offset = 0

    init(_ target: FileTarget, limit: Int) {
        self.target = target
        kept = WholeBody(limit: limit)
    }

    func begin(_ head: ReceivedHead) throws(TransportError) {
        guard let head = ResponseHead(lines: head.lines, status: head.status) else {
            throw .invalidResponse("no status line")
        }
        decision = try target.decide(head)
        guard case .write(let start) = decision else { return }
        offset = start
        guard ftruncate(target.descriptor, off_t(start)) == 0 else { throw Self.failure() }
    }

    func take(_ bytes: UnsafeRawBufferPointer, expected: Int) throws(TransportError) -> Bool {
        guard case .write(let start) = decision else { return try kept.take(bytes, expected: expected) }
        try write(bytes)
        target.onProgress?(offset, expected > 0 ? start + expected : nil)
        return true
    }

    func end() -> Data {
        kept.end()
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = pwrite(target.descriptor, piece.baseAddress, piece.count, off_t(offset))
            if count > 0 {
                offset += count
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Self.failure()
            }
        }
    }

    private static func failure() -> TransportError {
        .file("the download cannot be written: \(String(cString: strerror(errno)))")
    }
}
