import Glibc
import MastheadTesting

/// One client's way through a proxy, on its own thread.
struct ProxyPassage {
    let stream: any ByteStream
    let socket: ClientSocket
    let target: Int
    /// User and password with a colon between them.
    let password: String?
    let conduct: ScriptedProxy.Conduct
    let note: (ScriptedProxy.Visit) -> Void

    /// Connects to the target; `nil` if nothing listens there.
    func connectToTarget() -> ClientSocket? {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: target).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return ClientSocket(descriptor: descriptor)
    }

    /// Carries bytes both ways until one side ends; closes the way to the target.
    func relay(_ upstream: ClientSocket) {
        defer { close(upstream.descriptor) }
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            while true {
                let hasPending = (stream as? TLSStream)?.hasPending ?? false
                var polled = [socket, upstream].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                guard poll(&polled, 2, hasPending ? 0 : -1) >= 0 || errno == EINTR else { return }
                if hasPending || polled[0].revents != 0 {
                    guard carry(from: stream, to: upstream, buffer) else { return }
                }
                if polled[1].revents != 0 {
                    guard carry(from: upstream, to: stream, buffer) else { return finish() }
                }
            }
        }
    }

    private func carry(from: any ByteStream, to: any ByteStream, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let count = from.read(into: buffer)
        return count > 0 && to.write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
    }

    /// Waits for the client to go away.
    func keepSilent() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while stream.read(into: buffer) > 0 {}
        }
    }

    /// Ends our side in an orderly way.
    func finish() {
        stream.sayGoodbye()
        socket.finish()
    }
}
