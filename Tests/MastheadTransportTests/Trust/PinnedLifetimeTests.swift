import FoundationEssentials
import Glibc
import MastheadTesting
import MastheadTransport
import Testing

@Suite("What is kept of a pinned connection", .timeLimit(.minutes(1)))
struct PinnedLifetimeTests {
    private final class Token: Sendable {
        let stream: AsyncStream<Void>.Continuation

        init(_ stream: AsyncStream<Void>.Continuation) {
            self.stream = stream
        }

        deinit {
            stream.finish()
        }
    }

    @Test("goes with the loop: nothing holds the policy any longer", arguments: [true, false])
    func letsGo(isRight: Bool) async throws {
        let pinned = try PinnedServer()
        let (ending, sink) = AsyncStream.makeStream(of: Void.self)
        func exchange() async throws {
            let token = Token(sink)
            let pins = try PinnedServer.pins(isRight ? try pinned.pins[0] : PinnedServer.strange)
            let policy = pinned.policy(.fixed(pins)) {
                $0.pinReporter = PinReporter { [token] _ in withExtendedLifetime(token) {} }
            }
            let transport = Transport(policy: policy, idleLifetime: .zero)
            #expect((await failure(transport, TransportRequest(url: pinned.url)) == nil) == isRight)
        }

        try await exchange()
        for await _ in ending {}
    }

    /// A sanitizer's own memory grows with what it watches, or with what was given back.
    private static let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

    @Test(
        "is given up when it is closed: chains, sessions and judgements take no memory for good",
        .disabled(if: isSanitized, "a sanitizer's own memory grows")
    )
    func givesUpMemory() async throws {
        await #expect(processExitsWith: .success) {
            let pinned = try PinnedServer(answer: { _ in .text("answer").closing() })
            let store = PinStore(try PinnedServer.pins(try pinned.pins[0]))
            let transport = pinned.transport(.store(store))
            func exchange(times: Int) async throws {
                for count in 0..<times {
                    store.replace(with: try PinnedServer.pins(count % 4 == 3 ? PinnedServer.strange : pinned.pins[2]))
                    let failed = await failure(transport, TransportRequest(url: pinned.url))
                    #expect((failed == nil) == (count % 4 != 3))
                }
            }

            try await exchange(times: 100)
            let before = try ProcessTable.peakMemory()
            try await exchange(times: 600)
            let grown = try ProcessTable.peakMemory() - before
            // A chain of three takes some ten thousand bytes, and what the server remembers of a request a thousand.
            #expect(grown < 3 << 20, "\(grown) bytes")
        }
    }
}
