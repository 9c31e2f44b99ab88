#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a loop's thread waits while nobody needs it: until it is woken, bytes come on a socket, or the time has passed.
///
/// A wake that comes first is not lost.
final class ParkingPlace: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(TransportError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .setup("no file descriptor is left") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the thread that waits, or the next one that does; from any thread.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes just as well.
        _ = write(writeEnd, &byte, 1)
    }

    /// Waits.
    ///
    /// - Parameters:
    ///   - milliseconds: How long at most.
    ///   - sockets: The sockets to watch.
    /// - Returns: Those on which something has come, their end included.
    func wait(milliseconds: Int, watching sockets: [Int32] = []) -> [Int32] {
        var all = ([readEnd] + sockets).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&all, nfds_t(all.count), Int32(clamping: milliseconds)) > 0 else { return [] }
        if all[0].revents != 0 { drain() }
        return all.dropFirst().filter { $0.revents != 0 }.map(\.fd)
    }

    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(readEnd, buffer.baseAddress, buffer.count) == buffer.count {}
        }
    }
}
