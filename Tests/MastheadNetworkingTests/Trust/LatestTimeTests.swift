import FoundationEssentials
import Glibc
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

@Suite("The latest time that was seen", .timeLimit(.minutes(1)))
struct LatestTimeTests {
    private let folder: TestFolder
    private let clock = ManualClock()

    init() throws {
        folder = try TestFolder()
    }

    private var path: String { folder.path("state") }

    /// Reads until the file says so; writing it is nobody's to wait for.
    private func floorOnDisk(atLeast date: Date) async -> Date {
        while true {
            let floor = LatestTime(in: path, time: clock).floor
            if floor >= date { return floor }
            await Task.yield()
        }
    }

    @Test("pinning case 40: is a floor for the next process, whatever its clock says")
    func survives() async throws {
        let seen = clock.date
        #expect(LatestTime(in: path, time: clock).floor == .distantPast)
        LatestTime(in: path, time: clock).keep(seen)

        #expect(await floorOnDisk(atLeast: seen) == seen)
        clock.date = seen - 365 * 86_400
        #expect(LatestTime(in: path, time: clock).floor == seen)
    }

    @Test("pinning case 40: makes expired pins stay expired when the clock is set back a year")
    func staysExpired() async throws {
        var configuration = NetworkingConfiguration(domainURL: "api.example.com") {
            $0.pinning = .publicKeys(SomePins.two) { $0.expiry = clock.date - 1 }
            $0.pinning?.stateFolder = path
            $0.time = clock
        }
        let trust = try configuration.makeTrust()
        let policy = try #require(trust.pins?.current.policy)
        let reporter = try #require(trust.pinReporter)
        guard case .expired = policy.judge(chain: [], host: "api.example.com", now: reporter.now) else {
            Issue.record("pins that expired a second ago hold no more")
            return
        }
        reporter.noteVerified()
        _ = await floorOnDisk(atLeast: clock.date)

        clock.date -= 365 * 86_400
        guard case .expired = policy.judge(chain: [], host: "api.example.com", now: reporter.now) else {
            Issue.record("the clock was believed in the same process")
            return
        }
        // As another process would read it.
        configuration.pinning?.stateFolder = path
        let next = try #require(try configuration.makeTrust().pinReporter)
        #expect(next != reporter)
        guard case .expired = policy.judge(chain: [], host: "api.example.com", now: next.now) else {
            Issue.record("the clock was believed in the next process")
            return
        }
    }

    @Test("is not read from a file that holds something else, nor written without a folder")
    func damaged() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for text in ["", "yesterday", String(repeating: "9", count: 100)] {
            _ = try folder.file("state/latest-time", Data(text.utf8))
            #expect(LatestTime(in: path, time: clock).floor == .distantPast)
        }
        LatestTime(in: nil, time: clock).keep(clock.date)
    }

    @Test("is not taken from a folder that others may write to")
    func othersFolder() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = try folder.file("state/latest-time", Data("2030-01-01T00:00:00Z".utf8))
        #expect(LatestTime(in: path, time: clock).floor > clock.date)

        #expect(chmod(path, 0o777) == 0)
        #expect(LatestTime(in: path, time: clock).floor == .distantPast)
    }
}
