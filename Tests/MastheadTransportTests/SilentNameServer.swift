import FoundationEssentials
import Glibc

/// A name server that takes queries and never answers, for threads started by the one that calls ``takeOver()``.
final class SilentNameServer: @unchecked Sendable {
    // Invariant: nothing varies after `init`.
    typealias Failure = PrivateView.Failure

    private let descriptor: Int32
    private let address: String

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        // Name servers have one port; an address of the loopback range that nobody else has makes it free.
        let host = UInt32(0x7F00_0000) | UInt32.random(in: 0x1_0000...0xFE_FFFF)
        address = (0..<4).map { "\(host >> (24 - 8 * $0) & 0xFF)" }.joined(separator: ".")
        var socketAddress = sockaddr_in()
        socketAddress.sin_family = sa_family_t(AF_INET)
        socketAddress.sin_port = in_port_t(53).bigEndian
        socketAddress.sin_addr.s_addr = host.bigEndian
        let code = withUnsafeBytes(of: &socketAddress) { bytes in
            bind(
                descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size)
            )
        }
        guard code == 0 else { throw Failure(operation: "bind", code: errno) }
    }

    /// Gives this thread, and those it starts, a view of the file system in which this is the only name server.
    func takeOver() throws {
        try PrivateView.enterMounts(
            with: "nameserver \(address)\noptions timeout:30 attempts:5\n",
            at: "/etc/resolv.conf"
        )
    }

    /// Waits for a query, on a thread of its own.
    func query() async throws {
        let descriptor = descriptor
        await withCheckedContinuation { continuation in
            let box = Unmanaged.passRetained(Query(descriptor: descriptor, continuation: continuation))
            var thread = pthread_t()
            pthread_create(
                &thread,
                nil,
                { argument in
                    let query = Unmanaged<Query>.fromOpaque(argument!).takeRetainedValue()
                    var byte: UInt8 = 0
                    recv(query.descriptor, &byte, 1, 0)
                    query.continuation.resume()
                    return nil
                },
                box.toOpaque()
            )
            pthread_detach(thread)
        }
    }
}

private final class Query {
    let descriptor: Int32
    let continuation: CheckedContinuation<Void, Never>

    init(descriptor: Int32, continuation: CheckedContinuation<Void, Never>) {
        self.descriptor = descriptor
        self.continuation = continuation
    }
}
