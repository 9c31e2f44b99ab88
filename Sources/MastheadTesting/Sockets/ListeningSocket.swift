import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket that listens on a loopback address, on a port the system picked.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int
    private let isOpen = Lock(true)

    init(_ host: ScriptedServer.Host) throws(ScriptedServerError) {
        let family = host == .ipv4 ? AF_INET : AF_INET6
        let descriptor = socket(
            family,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw .system(operation: "socket", code: errno) }
        do throws(ScriptedServerError) {
            port = host == .ipv4 ? try Self.bindIPv4(descriptor) : try Self.bindIPv6(descriptor)
            guard listen(descriptor, SOMAXCONN) == 0 else { throw .system(operation: "listen", code: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        stopListening()
    }

    /// Closes the socket, once; for the thread that accepts, so that nobody accepts on a number that is another's by now.
    func stopListening() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { close(descriptor) }
    }

    private static func bindIPv4(_ descriptor: Int32) throws(ScriptedServerError) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return Int(UInt16(bigEndian: try bind(descriptor, &address).sin_port))
    }

    private static func bindIPv6(_ descriptor: Int32) throws(ScriptedServerError) -> Int {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return Int(UInt16(bigEndian: try bind(descriptor, &address).sin6_port))
    }

    /// Binds to an address and gives it back with the port filled in.
    private static func bind<Address>(
        _ descriptor: Int32,
        _ address: inout Address
    ) throws(ScriptedServerError) -> Address {
        var length = socklen_t(MemoryLayout<Address>.size)
        let failure = withUnsafeMutableBytes(of: &address) { bytes -> (operation: String, code: Int32)? in
            let generic = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard systemBind(descriptor, generic, length) == 0 else { return ("bind", errno) }
            guard getsockname(descriptor, generic, &length) == 0 else { return ("getsockname", errno) }
            return nil
        }
        if let failure { throw .system(operation: failure.operation, code: failure.code) }
        return address
    }
}

// Within the class, `bind` is the method.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}
