import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket that listens on a loopback address, on a port the system picked, or on a path.
package final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// 0 for a path.
    package let port: Int
    private let host: ScriptedServer.Host
    private let isOpen = Lock(true)

    /// Opens the socket and begins to listen.
    package init(_ host: ScriptedServer.Host) throws(ScriptedServerError) {
        let descriptor = socket(
            host.family,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw .system(operation: "socket", code: errno) }
        do throws(ScriptedServerError) {
            port =
                switch host {
                case .ipv4: try Self.bindIPv4(descriptor)
                case .ipv6: try Self.bindIPv6(descriptor)
                case .unix(let path): try Self.bind(descriptor, path: path)
                }
            guard listen(descriptor, SOMAXCONN) == 0 else { throw .system(operation: "listen", code: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.host = host
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
        guard wasOpen else { return }
        close(descriptor)
        if case .unix(let path) = host { unlink(path) }
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

    private static func bind(_ descriptor: Int32, path: String) throws(ScriptedServerError) -> Int {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { throw .system(operation: "bind", code: ENAMETOOLONG) }
        _ = try bind(descriptor, &address)
        return 0
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

extension ScriptedServer.Host {
    fileprivate var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }
}

// Within the class, `bind` is the method.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}
