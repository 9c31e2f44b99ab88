import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// The fault run: what every call ends in, and what is left afterwards.
@Suite("Fault run", .timeLimit(.minutes(10)))
struct FaultRunTests {
    private static let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"

    // Each in a process of its own: what is counted there is this run's alone.

    @Test("ends every call once, in what its fault allows, and leaves nothing behind")
    func plain() async throws {
        await #expect(processExitsWith: .success) { try await FaultRunTests.run(isSecure: false) }
    }

    @Test("ends every call over TLS once, in what its fault allows, and leaves nothing behind")
    func secure() async throws {
        await #expect(processExitsWith: .success) { try await FaultRunTests.run(isSecure: true) }
    }

    private static func run(isSecure: Bool) async throws {
        let run = FaultRun(count: isSoak ? 20_000 : 600, seed: 20_260_729)
        let server = try ScriptedServer(
            tls: isSecure ? .selfSigned : nil,
            respondToHead: { run.answer($0, isWhole: false) },
            respond: { run.answer($0, isWhole: true) ?? .text("?", status: 500) }
        )
        // One of the two has an authority: with its file, the run has a loop of its own, so that what it holds can be counted.
        let silent = try ScriptedServer(.never, tls: isSecure ? nil : .selfSigned)
        defer { for server in [server, silent] { server.stop() } }
        let configuration = server.configuration {
            $0.certificateAuthorityFile = server.certificateAuthorityFile ?? silent.certificateAuthorityFile
            $0.maximumConnectionsPerHost = FaultRun.concurrency + 1
            $0.timeout = .seconds(30)
            $0.maximumBodySize = FaultRun.maximumBodySize
        }
        let counter = EndCounter()
        let probes = WeakProbes()
        let before = try ProcessTable()

        // The first to ask for a loop says how long it lives without work; one exchange that is never answered keeps it
        // from ending during the run.
        let policy = TrustPolicy(certificateAuthorityFile: configuration.certificateAuthorityFile)
        let transport = Transport(policy: policy, idleLifetime: .zero)
        _ = await transport.counts()
        let keeper = Task {
            try await transport.perform(TransportRequest(url: silent.baseURL.absoluteString + "/"))
        }
        _ = try await silent.request(0)

        let turning = Task { await run.turnClock(configuration.timeout, transport) }
        await withTaskGroup { group in
            for _ in 0..<FaultRun.concurrency {
                group.addTask {
                    while let number = run.begin() {
                        let repository = AbstractRepository(
                            configuration: configuration.with(
                                counter,
                                ClockWithToken(clock: run.clock, token: probes.makeToken())
                            )
                        )
                        run.end(number, await repository.performRaw(run.request(number)))
                    }
                }
            }
        }
        run.finish()
        await turning.value

        check(run.records)
        #expect(run.problems == [])
        #expect(counter.started == run.records.count)
        #expect(counter.ended == run.records.count)
        keeper.cancel()
        #expect(await outcome(keeper) == .cancelled)
        let counts = await transport.counts()
        #expect(counts.active == 0 && counts.waiting == 0)
        #expect(probes.alive == 0, "what an exchange held is still held")
        // The loop has nothing to do and ends; with it goes every connection and every handle.
        try await server.closedConnections(count: server.connectionCount)
        try await silent.closedConnections(count: 1)
        #expect(await transport.counts() == TransportCounts())
        #expect(try ProcessTable.connections(to: server.port) == 0)
        for server in [server, silent] { server.stop() }
        let after = try ProcessTable()
        #expect(after.descriptors <= before.descriptors + 8)
        #expect(after.threads <= before.threads + 8)
    }

    /// Holds every call to the table.
    private static func check(_ records: [Int: FaultRun.Record]) {
        var seen: Set<Fault> = []
        for (number, record) in records.sorted(by: { $0.key < $1.key }) {
            seen.formUnion(record.dealt)
            guard record.endings.count == 1, let ending = record.endings.first else {
                Issue.record("call \(number) ended \(record.endings.count) times")
                continue
            }
            // A request that reached nobody went down with its connection.
            let allowed = record.dealt.last?.allowed ?? [.lost]
            let isRepeatable = record.method != .post
            let attempts = isRepeatable ? (record.dealt.first?.leavesNothing == true ? 1...2 : 1...1) : 0...1
            guard allowed.contains(ending), attempts.contains(record.dealt.count) else {
                Issue.record("call \(number), \(record.method): \(record.dealt.map(\.rawValue)) led to \(ending)")
                continue
            }
        }
        #expect(seen == Set(Fault.allCases))
    }
}

extension NetworkingConfiguration {
    fileprivate func with(_ observer: any NetworkObserver, _ time: any TimeSource) -> NetworkingConfiguration {
        var configuration = self
        configuration.observer = observer
        configuration.time = time
        return configuration
    }
}
