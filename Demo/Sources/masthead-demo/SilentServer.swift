import Glibc

/// A server that takes connections and never answers: what a call must be able to leave.
struct SilentServer: ~Copyable {
    let port: Int
    private let socket: Int32

    /// - Returns: `nil` if no port can be had.
    init?() {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // The kernel accepts what waits in the queue; nobody takes it out.
                bind(socket, address, length) | listen(socket, 8) | getsockname(socket, address, &length)
            }
        }
        guard socket >= 0, status == 0 else {
            close(socket)
            return nil
        }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(socket)
    }
}
