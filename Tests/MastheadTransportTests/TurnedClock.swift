import Glibc
import MastheadLock
import MastheadTransport

/// The transport's clock, turned by hand.
final class TurnedClock: TransportClock {
    private struct State {
        var now = Duration.zero
        var nextID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Lock(State())

    var now: Duration { state.withLock { $0.now } }

    func advance(by duration: Duration) {
        let actions = state.withLock { state in
            state.now += duration
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let id = state.withLock { state in
            state.nextID += 1
            state.actions[state.nextID] = action
            return state.nextID
        }
        return { [state] in state.withLock { $0.actions[id] = nil } }
    }
}

/// A port that answers no further connection: its queue is full and nobody accepts.
final class FullBacklog {
    let port: UInt16
    private let listener: Int32
    private var clients: [Int32] = []

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            bind(listener, pointer, length)
            listen(listener, 0)
            getsockname(listener, pointer, &length)
            return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
        for _ in 0..<4 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafeMutableBytes(of: &address) { bytes in
                _ = connect(client, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
            }
            clients.append(client)
        }
    }

    deinit {
        for descriptor in clients + [listener] { close(descriptor) }
    }
}
