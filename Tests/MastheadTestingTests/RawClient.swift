import Foundation
import Glibc

/// A client that sends and sees bytes, so that the tests of the server rest on nothing of ours.
final class RawClient: Sendable {
    enum End: Equatable {
        case closed
        case reset
    }

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let descriptor: Int32

    init(port: Int, ipv6: Bool = false) throws {
        descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var address6 = sockaddr_in6()
        address6.sin6_family = sa_family_t(AF_INET6)
        address6.sin6_port = UInt16(port).bigEndian
        address6.sin6_addr = in6addr_loopback
        let result =
            if ipv6 { Self.connect(descriptor, &address6) } else { Self.connect(descriptor, &address) }
        guard result == 0 else {
            defer { close(descriptor) }
            throw Failure(call: "connect", code: errno)
        }
    }

    /// Connects to a Unix socket.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        guard Self.connect(descriptor, &address) == 0 else {
            defer { close(descriptor) }
            throw Failure(call: "connect", code: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafeBytes(of: &address) { bytes in
            Glibc.connect(
                descriptor,
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(bytes.count)
            )
        }
    }

    @discardableResult
    func send(_ text: String) -> RawClient {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { break }
            bytes = bytes.dropFirst(count)
        }
        return self
    }

    /// Closes the client's side, as a client does that gives up.
    func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Reads until what came ends with `suffix`, or the connection ends.
    func read(through suffix: String) async -> String {
        await onThread { [self] in
            var bytes: [UInt8] = []
            while !bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8), readSome(into: &bytes, atMost: 1) == nil
            {}
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Reads to the end of the connection.
    func readToEnd() async -> (bytes: [UInt8], end: End) {
        await onThread { [self] in
            var bytes: [UInt8] = []
            while true {
                if let end = readSome(into: &bytes, atMost: 64 << 10) { return (bytes, end) }
            }
        }
    }

    /// Counts the bytes to the end of the connection without keeping them.
    func countToEnd() async -> Int {
        await onThread { [self] in
            var count = 0
            var bytes: [UInt8] = []
            while readSome(into: &bytes, atMost: 64 << 10) == nil {
                count += bytes.count
                bytes.removeAll(keepingCapacity: true)
            }
            return count
        }
    }

    private func readSome(into bytes: inout [UInt8], atMost size: Int) -> End? {
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, size, 0)
            if count > 0 {
                bytes += buffer.prefix(count)
                return nil
            }
            return count < 0 && errno == ECONNRESET ? .reset : .closed
        }
    }

    /// Blocks a thread of its own, none of Swift's concurrency.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }
}

extension String {
    /// What follows the head of an answer.
    var afterHead: String {
        firstRange(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? ""
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
