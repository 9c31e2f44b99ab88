import BenchmarkSide
import Foundation

/// Everything the scenarios of `http` are run on: the files, the certificate, the server, the programs.
final class Stage {
    private static let small =
        #"{"id":"64a0c0ffee0000000000b001","title":"Tidewater, Spring","sku":"org.example.tidewater.spring","#
        + #""placement":1,"published":true,"updated":"2026-01-05T09:00:00+00:00","keywords":["harbour","essays"]}"#

    private let workspace: Workspace
    private let certificate: Certificate
    private let trustingPeer: TrustingPeer?
    private let sizes: [Scenario.Resource: Int]
    private let server: WebServer
    private let programs: String

    /// Sets it up for some scenarios.
    init(for scenarios: [Scenario], quick: Bool) throws(BenchError) {
        workspace = try Workspace()
        certificate = try Certificate(in: workspace)
        trustingPeer = TrustingPeer()
        let list = try Self.list()
        try workspace.write(list, to: "list.json")
        var bigSize = 0
        if scenarios.contains(where: { $0.resource == .big }) {
            bigSize = try Self.writeBig(mebibytes: quick ? 16 : 256, in: workspace)
        }
        sizes = [.small: Self.small.utf8.count, .list: list.count, .big: bigSize]
        server = try WebServer(folder: workspace.path, certificate: certificate, small: Self.small)
        do {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            programs = URL(fileURLWithPath: own).deletingLastPathComponent().path
        } catch {
            throw BenchError("/proc/self/exe: \(error)")
        }
    }

    /// Whether a side can take part on this machine.
    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool {
        scenario.parts[side] != nil && (side != .peer || scenario.endpoint == .plain || trustingPeer != nil)
    }

    /// Runs a side in a process of its own.
    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult {
        let authorities = scenario.trustsSystem ? certificate.fullBundle : certificate.file
        let workload = Workload(
            task: part.task,
            url: server.url(scenario.endpoint, scenario.resource.file),
            requests: part.requests,
            concurrency: scenario.concurrency,
            warmUp: scenario.warmUp,
            bodyBytes: sizes[scenario.resource] ?? 0,
            authorities: scenario.endpoint == .plain ? nil : authorities
        )
        var command = ["\(programs)/\(part.program)"] + workload.arguments
        if side == .peer, let bundle = workload.authorities, let trustingPeer {
            command = trustingPeer.command(command, bundle: bundle)
        }
        let output = try Command.run(command, seconds: 120)
        guard let result = try? JSONDecoder().decode(SideResult.self, from: output) else {
            throw BenchError("\(part.program): printed \(String(decoding: output.prefix(200), as: UTF8.self))")
        }
        guard result.version == scenario.endpoint.version else {
            throw BenchError("\(part.program): spoke \(result.version ?? "nothing") to \(workload.url)")
        }
        return result
    }

    private static func list() throws(BenchError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return try encoder.encode(ArticleList.sample(count: 1000))
        } catch {
            throw BenchError("list.json: \(error)")
        }
    }

    private static func writeBig(mebibytes: Int, in workspace: Workspace) throws(BenchError) -> Int {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(1 << 17)).map { _ in generator.next() }
        let chunk = words.withUnsafeBytes { Data($0) }
        var contents = Data(capacity: mebibytes << 20)
        for _ in 0..<mebibytes { contents.append(chunk) }
        try workspace.write(contents, to: "big.bin")
        return contents.count
    }
}

extension Scenario.Resource {
    /// The name of its file.
    var file: String {
        switch self {
        case .small: "small.json"
        case .list: "list.json"
        case .big: "big.bin"
        }
    }
}
