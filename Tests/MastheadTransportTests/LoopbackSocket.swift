import Glibc

/// Sockets that a test connects by itself.
enum LoopbackSocket {
    /// An address of this machine: 127.0.0.1 or one beside it.
    struct End {
        var host: UInt32 = 0x7F00_0001
        var port: Int

        fileprivate var address: sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = host.bigEndian
            address.sin_port = in_port_t(port).bigEndian
            return address
        }
    }

    /// A socket that listens on a port that the system picks; `nil` if it does not let it.
    static func listening(on host: UInt32 = 0x7F00_0001) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        guard isDone(bind, descriptor, End(host: host, port: 0)), listen(descriptor, 8) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// A socket that leads to a port, from a chosen end or any; `nil` if the system does not let it.
    static func connected(to remote: End, from local: End? = nil) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        guard local.map({ isDone(bind, descriptor, $0) }) ?? true, isDone(connect, descriptor, remote) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// The port that a socket was bound to.
    static func localPort(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            _ = getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    private static func isDone(
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        _ descriptor: Int32,
        _ end: End
    ) -> Bool {
        var address = end.address
        return withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map { start in
                call(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            } ?? false
        }
    }
}
