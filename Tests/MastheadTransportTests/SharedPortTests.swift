import FoundationEssentials
import Glibc
import MastheadTesting
import MastheadTransport
import Testing

@Suite("Kept connections", .timeLimit(.minutes(1)))
struct SharedPortTests {
    @Test("that have both ports in common are told apart by their addresses")
    func tellsApart() throws {
        let listener = try #require(LoopbackSocket.listening())
        defer { close(listener) }
        let remote = LoopbackSocket.End(port: LoopbackSocket.localPort(of: listener))
        // The same port of this machine, on two of its addresses.
        let first = try #require(LoopbackSocket.connected(to: remote, from: .init(port: 0)))
        defer { close(first) }
        let firstPeer = accept(listener, nil, nil)
        defer { close(firstPeer) }
        let port = LoopbackSocket.localPort(of: first)
        let second = try #require(LoopbackSocket.connected(to: remote, from: .init(host: 0x7F00_0002, port: port)))
        defer { close(second) }
        func ends(_ address: String) -> KeptSockets.Ends {
            KeptSockets.Ends(
                local: SocketAddress(address, port: Int32(port)),
                remote: SocketAddress("127.0.0.1", port: Int32(remote.port))
            )
        }
        let kept = KeptSockets()

        kept.note(first, ends("127.0.0.1"), isExclusive: true)
        kept.note(second, ends("127.0.0.2"), isExclusive: true)
        #expect(!kept.isSpoiled(ends("127.0.0.1")))
        #expect(send(firstPeer, "x", 1, 0) == 1)

        #expect(!kept.isSpoiled(ends("127.0.0.2")))
        #expect(kept.isSpoiled(ends("127.0.0.1")))
    }

    @Test("are not taken for others that have their number by now")
    func knowsNumber() throws {
        let listener = try #require(LoopbackSocket.listening())
        defer { close(listener) }
        let remote = LoopbackSocket.End(port: LoopbackSocket.localPort(of: listener))
        let socket = try #require(LoopbackSocket.connected(to: remote))
        defer { close(socket) }
        let peer = accept(listener, nil, nil)
        defer { close(peer) }
        #expect(send(peer, "x", 1, 0) == 1)
        let port = Int32(LoopbackSocket.localPort(of: socket))
        let kept = KeptSockets()

        for (local, remoteAddress, isSpoiled) in [
            ("127.0.0.2", "127.0.0.1", false), ("127.0.0.1", "127.0.0.3", false), ("127.0.0.1", "127.0.0.1", true),
        ] {
            let ends = KeptSockets.Ends(
                local: SocketAddress(local, port: port),
                remote: SocketAddress(remoteAddress, port: Int32(remote.port))
            )
            kept.note(socket, ends, isExclusive: true)
            #expect(kept.isSpoiled(ends) == isSpoiled)
        }
    }

    @Test(
        "are spoiled by their end and by a reset, after which the system does not know where they led",
        arguments: [true, false]
    )
    func knowsEnds(isReset: Bool) throws {
        let listener = try #require(LoopbackSocket.listening())
        defer { close(listener) }
        let remote = LoopbackSocket.End(port: LoopbackSocket.localPort(of: listener))
        let socket = try #require(LoopbackSocket.connected(to: remote))
        defer { close(socket) }
        let peer = accept(listener, nil, nil)
        let ends = KeptSockets.Ends(
            local: SocketAddress("127.0.0.1", port: Int32(LoopbackSocket.localPort(of: socket))),
            remote: SocketAddress("127.0.0.1", port: Int32(remote.port))
        )
        let kept = KeptSockets()
        kept.note(socket, ends, isExclusive: true)
        #expect(!kept.isSpoiled(ends))
        // Without a time to linger for, closing resets.
        var linger = linger(l_onoff: isReset ? 1 : 0, l_linger: 0)
        #expect(setsockopt(peer, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger))) == 0)
        close(peer)
        #expect(kept.isSpoiled(ends))
    }

    @Test(
        "are known by what libcurl and the system say of them, in IPv6 too",
        arguments: [ScriptedServer.Host.ipv4, .ipv6]
    )
    func knowsAddresses(host: ScriptedServer.Host) async throws {
        let (late, sent) = (ScriptedServer.Gate(), ScriptedServer.Gate())
        let (first, stray) = ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst", "HTTP/1.1 408 No\r\n\r\n")
        let spoiling = ScriptedServer.Answer.raw(first + stray, isClosing: false)
            .held(until: late, afterBodyBytes: first.utf8.count)
            .held(until: sent, afterBodyBytes: (first + stray).utf8.count)
        let server = try ScriptedServer(spoiling, .text("second"), host: host)
        let transport = Transport.alone()
        let request = TransportRequest(url: server.baseURL.absoluteString + "/")

        #expect(try await transport.perform(request).body == Data("first".utf8))
        late.open()
        try await sent.waiters(count: 1)
        sent.open()
        #expect(try await transport.perform(request).body == Data("second".utf8))
    }
}
