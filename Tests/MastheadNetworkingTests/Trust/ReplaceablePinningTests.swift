import FoundationEssentials
import MastheadNetworking
import MastheadTransport
import Testing

@Suite("Pins that change")
struct ReplaceablePinningTests {
    private let pins = ReplaceablePinning(.publicKeys(SomePins.two))

    private func configuration(_ domain: String = "api.example.com") -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: domain) { $0.replaceablePinning = pins }
    }

    private func digests(_ policy: PinPolicy?) -> Set<UInt8> {
        Set(policy?.hosts.flatMap(\.pins).compactMap(\.digest.first) ?? [])
    }

    @Test("are new for every configuration that uses them, each with its own host")
    func replaces() throws {
        let api = try #require(try configuration().makeTrust().pins)
        let media = try #require(try configuration("media.example.com").makeTrust().pins)
        #expect(digests(api.current.policy) == [1, 2])
        let generation = api.generation

        try pins.replace(with: .publicKeys(SomePins.otherTwo))

        #expect(digests(api.current.policy) == [3, 4] && digests(media.current.policy) == [3, 4])
        #expect(api.current.policy.host(for: "api.example.com") != nil)
        #expect(media.current.policy.host(for: "media.example.com") != nil)
        #expect(api.current.policy.host(for: "media.example.com") == nil)
        #expect(api.generation > generation)
        #expect(try configuration().makeTrust().pins == api, "a later repository shares the connections")
    }

    @Test("stay the old ones if the new are not valid")
    func keepsOld() throws {
        let source = try #require(try configuration().makeTrust().pins)

        #expect(throws: RepositoryError.self) { try pins.replace(with: .publicKeys([SomePins.text(7)])) }

        #expect(digests(source.current.policy) == [1, 2])
        #expect(pins.current.hosts.first?.pins == .publicKeys(SomePins.two))
    }

    @Test("count from the start if they were changed before anybody used them")
    func changedBefore() throws {
        try pins.replace(with: .publicKeys(SomePins.otherTwo))

        #expect(digests(try configuration().policy) == [3, 4])
    }

    @Test("are never two sets at once, however many change and use them", .timeLimit(.minutes(1)))
    func concurrentChanges() async throws {
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<200 {
                group.addTask {
                    try? pins.replace(with: .publicKeys(round % 2 == 0 ? SomePins.two : SomePins.otherTwo))
                }
                group.addTask { _ = try? configuration("h\(round % 7).example").makeTrust() }
            }
        }
        try pins.replace(with: .publicKeys(SomePins.otherTwo))

        for host in 0..<7 {
            #expect(digests(try configuration("h\(host).example").policy) == [3, 4])
        }
    }
}
