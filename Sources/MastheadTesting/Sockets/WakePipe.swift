#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Wakes a thread that stands in `poll`.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(ScriptedServerError) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutableBytes(of: &ends) { bytes in
            socketpair(
                AF_UNIX,
                Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                0,
                bytes.assumingMemoryBound(to: Int32.self).baseAddress
            )
        }
        guard result == 0 else { throw .system(operation: "socketpair", code: errno) }
        (readEnd, writeEnd) = ends
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Makes ``readEnd`` readable; a full pipe is readable already.
    func wake() {
        var byte: UInt8 = 1
        _ = send(writeEnd, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// Forgets every wake so far.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while recv(readEnd, bytes.baseAddress, bytes.count, 0) > 0 {}
        }
    }
}
