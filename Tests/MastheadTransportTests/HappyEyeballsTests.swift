import FoundationEssentials
import Glibc
import MastheadTesting
import MastheadTransport
import Testing

/// Hosts of several addresses (RFC 8305), made by a table of hosts that one process alone has.
@Suite("A host of two addresses", .timeLimit(.minutes(1)), .enabled(if: PrivateView.isAllowed))
struct HappyEyeballsTests {
    @Test("is reached at the one that answers, if the other refuses")
    func refusing() async {
        await #expect(processExitsWith: .success) {
            alarm(50)
            let (server, other, refusing) = try serversAtOneAddressEach()
            for port in [server.port, other.port] {
                #expect(try await HostTable.ask(port, through: TransportRoute()) == "there")
            }
            var route = TransportRoute()
            for family in [TransportRoute.Family.ipv4, .ipv6] {
                route.family = family
                let wrong = family == .ipv4 ? other.port : server.port
                let right = family == .ipv4 ? server.port : other.port
                #expect(try await HostTable.ask(right, through: route) == "there")
                let error = await #expect(throws: TransportError.self) {
                    try await HostTable.ask(wrong, through: route)
                }
                #expect(error == .refused(host: "both.invalid"))
            }
            withExtendedLifetime(refusing) {}
        }
    }

    @Test("is reached at the one that answers, while the first keeps silent")
    func silent() async {
        await #expect(processExitsWith: .success) {
            alarm(50)
            let server = try ScriptedServer { _ in .text("there") }
            let silent = try SilentAddress(port: server.port)
            var route = TransportRoute()
            // libcurl 7.88 forgets a delay that ends within the millisecond after it last looked.
            route.happyEyeballsDelay = .milliseconds(100)
            #expect(try await HostTable.ask(server.port, through: route) == "there")
            withExtendedLifetime(silent) {}
        }
    }
}

/// A name with the two loopback addresses.
private enum HostTable {
    static func ask(_ port: Int, through route: TransportRoute) async throws -> String {
        let transport = Transport(
            policy: TrustPolicy(certificateAuthorityFile: "/nonexistent/\(UInt64.random(in: 0 ... .max))"),
            route: route
        )
        let call = Task {
            // Holds for the threads that this one starts from here on: the loop's, and through it the look-ups'.
            try PrivateView.enterMounts(with: "::1 both.invalid\n127.0.0.1 both.invalid\n", at: "/etc/hosts")
            return try await transport.perform(TransportRequest(url: "http://both.invalid:\(port)/"))
        }
        return String(decoding: try await call.value.body, as: UTF8.self)
    }
}

/// A server at 127.0.0.1 and one at [::1], and what keeps any other server from the other address at their ports.
private func serversAtOneAddressEach() throws -> (ipv4: ScriptedServer, ipv6: ScriptedServer, [RefusingAddress]) {
    for _ in 0..<100 {
        let server = try ScriptedServer { _ in .text("there") }
        let other = try ScriptedServer(host: .ipv6) { _ in .text("there") }
        let refusing = [
            RefusingAddress(AF_INET6, port: server.port), RefusingAddress(AF_INET, port: other.port),
        ].compactMap(\.self)
        if refusing.count == 2 { return (server, other, refusing) }
    }
    throw PrivateView.Failure(operation: "bind", code: errno)
}

/// A loopback address at a port, where every connection is refused: it is taken, and nobody listens.
private final class RefusingAddress {
    private let descriptor: Int32

    /// Takes it; `nil` if somebody else has it.
    init?(_ family: Int32, port: Int) {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        let code = withLoopback(family, port: port) { bind(descriptor, $0, $1) }
        if code != 0 { return nil }
    }

    deinit {
        close(descriptor)
    }
}

/// [::1] at a port, where a connection is neither made nor refused: the line of those who wait to be accepted is full.
private final class SilentAddress {
    private var descriptors: [Int32] = []

    init(port: Int) throws {
        for place in 0..<4 {
            let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            descriptors.append(descriptor)
            let code = withLoopback(AF_INET6, port: port) { address, length in
                if place > 0 { return connect(descriptor, address, length) < 0 && errno != EINPROGRESS ? -1 : Int32(0) }
                return bind(descriptor, address, length) == 0 ? listen(descriptor, 0) : -1
            }
            guard code == 0 else { throw PrivateView.Failure(operation: "listen", code: errno) }
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}

/// Runs with the loopback address of a family at a port, as the system's calls take it.
private func withLoopback<Result>(
    _ family: Int32,
    port: Int,
    _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result
) -> Result {
    func run<Address>(_ address: Address) -> Result {
        withUnsafeBytes(of: address) { bytes in
            body(bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
    if family == AF_INET {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return run(address)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = in_port_t(port).bigEndian
    address.sin6_addr = in6addr_loopback
    return run(address)
}
