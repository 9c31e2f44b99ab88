import Glibc

/// A socket that listens on a free port of the loopback address, to be handed over to a server.
///
/// It listens before the server runs, so nobody else can take the port in between and no client comes too early.
struct ListeningSocket: ~Copyable {
    /// The descriptor.
    let descriptor: Int32

    /// The port that the system chose.
    let port: UInt16

    init() throws(BenchError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback(port: 0)
        let descriptor = descriptor
        let succeeded = withUnsafeSockaddr(&address) { pointer, size in
            var length = size
            return bind(descriptor, pointer, size) == 0 && listen(descriptor, 511) == 0
                && getsockname(descriptor, pointer, &length) == 0
        }
        port = UInt16(bigEndian: address.sin_port)
        guard succeeded else { throw BenchError("listening on 127.0.0.1: \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
    }
}

extension sockaddr_in {
    /// 127.0.0.1 and a port.
    static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

/// Lends an address as the socket functions take it, with its size.
func withUnsafeSockaddr<Result>(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}
