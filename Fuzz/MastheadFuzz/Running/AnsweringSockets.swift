import Glibc
import MastheadLock
import MastheadTransport

/// Socket pairs whose one end the transport gets, and whose other end has said all it has to say.
///
/// Everything is written before the transport reads, and then the writing side is shut: no thread answers and no clock
/// decides. A pair of records keeps the cuts: each read gets one.
final class AnsweringSockets: Sendable {
    private struct State {
        var pieces: [ArraySlice<UInt8>] = []
        var held: [Int32] = []
    }

    private let state = Lock(State())

    /// A source of such sockets.
    var source: SocketSource { SocketSource { self.open() } }

    /// Sets what the connections from now on say.
    func prepare(_ pieces: [ArraySlice<UInt8>]) {
        state.withLock { $0.pieces = pieces }
    }

    /// Closes the ends that are still held.
    ///
    /// - Returns: How many connections were made since the last time.
    func closeAll() -> Int {
        state.withLock { state in
            for descriptor in state.held { close(descriptor) }
            defer { state.held = [] }
            return state.held.count
        }
    }

    private func open() -> Int32? {
        state.withLock { state -> Int32? in
            var ends: [Int32] = [-1, -1]
            let isCut = state.pieces.count > 1
            let type = (isCut ? SOCK_SEQPACKET : SOCK_STREAM).rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return nil }
            for piece in state.pieces {
                let count = piece.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
                claim(count == piece.count, "a socket holds what is written: \(errno)")
            }
            shutdown(ends[1], Int32(SHUT_WR))
            state.held.append(ends[1])
            return ends[0]
        }
    }
}

/// Stands for the C library's function in this whole program, which connects to nothing.
///
/// libcurl 7.88 connects a socket of which it was told that it is connected (mended in 8.0).
@_cdecl("connect")
public func connect(_ socket: Int32, _ address: UnsafeRawPointer?, _ length: UInt32) -> Int32 {
    0
}
