import FoundationEssentials
import MastheadCrypto
import MastheadLock
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Pins that are over, pins that only tell, and who is told.
@Suite("Pinning cases 40 to 43: expiry and reports", .timeLimit(.minutes(1)))
struct ReportPinCases {
    private let root: CertificateAuthority
    private let clock = ManualClock()
    private let folder: TestFolder

    init() throws {
        root = try CertificateAuthority(name: "Root")
        folder = try TestFolder()
    }

    private func site(isClosing: Bool = false) throws -> PinnedSite {
        try PinnedSite(
            root.issue(names: ["localhost", "a.test"]),
            trusting: [root.certificate],
            respond: { isClosing ? .text($0.target).closing() : .text($0.target) }
        )
    }

    private func reportsSite(
        respond: @escaping @Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer
    ) throws -> PinnedSite {
        try PinnedSite(root.issue(names: ["reports.test"]), trusting: [root.certificate], respond: respond)
    }

    /// Events as they come.
    private struct Events {
        let stream: AsyncStream<PinningEvent>
        let take: @Sendable (PinningEvent) -> Void

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: PinningEvent.self)
            self.stream = stream
            take = { continuation.yield($0) }
        }

        func next() async -> PinningEvent? {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
    }

    // MARK: Expiry

    /// A client whose pins are wrong, and over since a second.
    private func expiredClient(
        of site: PinnedSite,
        since date: Date,
        in state: String,
        failsWhenExpired: Bool = false,
        _ take: (@Sendable (PinningEvent) -> Void)? = nil
    ) throws -> PinnedClient {
        let pin = try Pin.ofNobody
        return site.client {
            $0.time = clock
            $0.pinning = .of(nil, [pin]) {
                $0.expiry = date
                $0.failsWhenExpired = failsWhenExpired
            }
            $0.pinning?.stateFolder = folder.path(state)
            $0.pinning?.onEvent = take
        }
    }

    @Test("pinning case 40: pins that expired a second ago hold no more, and an event says so")
    func expired() async throws {
        let site = try site()
        let events = Events()
        let client = try expiredClient(of: site, since: clock.date - 1, in: "state", events.take)
        #expect(await client.ask().isAnswered)
        let event = try #require(await events.next())
        #expect(!event.isRefused)
        #expect(event.pinnedHost == "localhost")
        #expect(event.mismatch.builtNames == ["localhost", "Root"])

        let strict = try expiredClient(of: site, since: clock.date - 1, in: "strict", failsWhenExpired: true)
        #expect(await strict.ask().mismatch?.host == "localhost")
        let holding = try expiredClient(of: site, since: clock.date + 1, in: "holding")
        #expect(await holding.ask().mismatch != nil)
        #expect(site.requests.count == 1)
    }

    @Test(
        "pinning case 40: a clock that is set back a year brings expired pins back neither now nor in the next process"
    )
    func setBack() async throws {
        let site = try site()
        let expiry = clock.date - 1
        let client = try expiredClient(of: site, since: expiry, in: "state")
        #expect(await client.ask().isAnswered)
        // Written beside the request, not before it.
        while !folder.names(below: "state").contains("latest-time") { await Task.yield() }

        clock.date -= 365 * 86_400
        #expect(await client.ask().isAnswered)
        // Another object that finds the same folder, as another process would.
        #expect(try await expiredClient(of: site, since: expiry, in: "state").ask().isAnswered)
        // Who has never seen the later time has to believe the clock.
        #expect(try await expiredClient(of: site, since: expiry, in: "new").ask().mismatch != nil)
    }

    // MARK: Reports

    /// A client of `a.test` that reports mismatches to `reports.test`, and trusts both.
    private func reportingClient(
        of site: PinnedSite,
        to reports: PinnedSite,
        _ target: String = "https://reports.test/pins",
        isEnforced: Bool
    ) throws -> PinnedClient {
        let pin = try Pin.ofNobody
        return site.client("a.test") {
            $0.time = clock
            $0.route.addresses["reports.test"] = "127.0.0.1:\(reports.port)"
            $0.pinning = .of(nil, [pin]) { $0.isEnforced = isEnforced }
            $0.pinning?.stateFolder = folder.path("state")
            $0.pinning?.reportURI = target
        }
    }

    private func chain(in request: ScriptedServer.ReceivedRequest) throws -> [String] {
        let json = try JSONDecoder().decode(JSONValue.self, from: request.body).objectValue
        return json?["validated-certificate-chain"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    @Test(
        "pinning case 41: a mismatch that is only reported: the request goes well, one report is sent, an equal one not for 24 hours, another chain's at once"
    )
    func reportOnly() async throws {
        let site = try site(isClosing: true)
        let reports = try reportsSite { _ in
            .status(204)
        }
        let client = try reportingClient(of: site, to: reports, isEnforced: false)
        for _ in 0..<3 { #expect(await client.ask().isAnswered) }
        let first = try await reports.server.request(0)
        #expect(first.method == "POST" && first.target == "/pins")
        #expect(first.body.count < 64 << 10)
        let chain = try chain(in: first)
        #expect(chain.count == 2)

        let other = try root.issue(names: ["a.test"])
        try site.tls.serve(TLSServerSettings(other))
        #expect(await client.ask().isAnswered)
        let second = try await reports.server.request(1)
        #expect(try self.chain(in: second).first == other.certificate.pem())

        clock.date += 86_399
        #expect(await client.ask().isAnswered)
        clock.date += 1
        #expect(await client.ask().isAnswered)
        let third = try await reports.server.request(2)
        #expect(try self.chain(in: third) == self.chain(in: second))
        #expect(reports.requests.count == 3)
        #expect(site.requests.count == 6)
    }

    @Test("pinning case 42: the reports go to the pinned host itself, whose pins do not hold for them")
    func pinnedReportHost() async throws {
        let site = try site()
        let client = try reportingClient(of: site, to: site, "https://a.test/pins", isEnforced: true)
        #expect(await client.ask().mismatch != nil)
        let report = try await site.server.request(0)
        #expect(report.method == "POST" && report.target == "/pins")
        #expect(String(decoding: report.body, as: UTF8.self).contains("\"hostname\":\"a.test\""))
        #expect(await client.ask().mismatch != nil)
        #expect(site.requests.count == 1)
    }

    @Test("pinning case 43: the reports' server is down: requests go on, and one report waits for its turn")
    func reportsDown() async throws {
        let site = try site(isClosing: true)
        let posts = Lock(0)
        let reports = try reportsSite { _ in
            posts.withLock { $0 += 1 }
            return .reset
        }
        let client = try reportingClient(of: site, to: reports, isEnforced: false)
        // Each request meets another chain, so each makes a report.
        for _ in 0..<20 {
            try site.tls.serve(TLSServerSettings(root.issue(names: ["a.test"])))
            #expect(await client.ask().isAnswered)
        }
        try await clock.sleepers(count: 1)
        #expect(posts.withLock { $0 } == 1)
        while folder.names(below: "state/pin-reports").count(where: { $0.hasSuffix(".json") }) < 20 {
            await Task.yield()
        }
        #expect(posts.withLock { $0 } == 1)
        #expect(site.requests.count == 20)
    }
}

extension TestFolder {
    /// The names of a folder's files.
    fileprivate func names(below name: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []
    }
}
