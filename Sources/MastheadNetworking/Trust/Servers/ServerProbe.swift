import MastheadCrypto
import MastheadLock
import MastheadTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes one TLS handshake with a server, on a thread of its own.
final class ServerProbe: Sendable {
    /// The host, without brackets.
    let host: String
    let port: Int

    private let isAddress: Bool
    private let authorities: String?
    private let timeout: Duration
    private let state = Lock<(descriptor: Int32?, isCancelled: Bool)>((nil, false))

    init(_ target: HostPort, _ authorities: String?, _ timeout: Duration) {
        host = target.host.hasPrefix("[") ? String(target.host.dropFirst().dropLast()) : target.host
        port = target.port ?? 443
        isAddress = target.isAddress
        self.authorities = authorities
        self.timeout = timeout
    }

    func run() async throws(RepositoryError) -> ServerChain {
        let result = await withTaskCancellationHandler {
            await OwnThread.run { Result { () throws(RepositoryError) in try self.shakeHands() } }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                // Whatever the thread waits for on it ends.
                if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
            }
        }
        if state.withLock({ $0.isCancelled }) { throw .cancelled }
        return try result.get()
    }

    private func shakeHands() throws(RepositoryError) -> ServerChain {
        // OpenSSL writes with `write`; the signal's mask is this thread's own, and it ends soon.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let descriptor = try connectedSocket()
        defer {
            state.withLock { $0.descriptor = nil }
            close(descriptor)
        }
        do throws(CryptoError) {
            return try ServerChain(
                descriptor: descriptor,
                host: host.hasSuffix(".") ? String(host.dropLast()) : host,
                isAddress: isAddress,
                authorities: authorities
            )
        } catch {
            throw .tls(reason: "\(host):\(port): \(error)")
        }
    }

    /// A socket that is connected to one of the host's addresses.
    private func connectedSocket() throws(RepositoryError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = isAddress ? AI_NUMERICHOST : 0
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let list else { throw .dns(host: host) }
        defer { freeaddrinfo(list) }
        var failure = ECONNREFUSED
        for address in sequence(first: list, next: { $0.pointee.ai_next }) {
            let descriptor = socket(
                address.pointee.ai_family,
                address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.ai_protocol
            )
            guard descriptor >= 0 else { continue }
            // Holds for connecting, too.
            var limit = timeval(
                tv_sec: Int(timeout.components.seconds),
                tv_usec: Int(timeout.components.attoseconds / 1_000_000_000_000)
            )
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            let isWanted = state.withLock { state in
                state.descriptor = descriptor
                return !state.isCancelled
            }
            if isWanted, connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 {
                return descriptor
            }
            failure = errno
            state.withLock { $0.descriptor = nil }
            close(descriptor)
            if !isWanted { throw .cancelled }
        }
        switch failure {
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL: throw .noNetworkConnection
        case ETIMEDOUT, EINPROGRESS, EAGAIN: throw .timeout(.connect)
        default: throw .refused(host: host)
        }
    }
}
