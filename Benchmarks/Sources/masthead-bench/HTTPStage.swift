import BenchmarkSide
import Foundation

/// Everything the scenarios of `http` are run on: the files, the certificate, the servers, the programs.
final class HTTPStage: Stage {
    private static let small =
        #"{"id":"64a0c0ffee0000000000b001","title":"Tidewater, Spring","sku":"org.example.tidewater.spring","#
        + #""placement":1,"published":true,"updated":"2026-01-05T09:00:00+00:00","keywords":["harbour","essays"]}"#

    private let workspace: Workspace
    private let certificate: Certificate
    private let privateMount: PrivateMount?
    private let sizes: [Scenario.Resource: Int]
    private let webServer: WebServer
    private let streamServer: StreamServer?
    private let programs: String

    /// Sets it up for some scenarios.
    init(for scenarios: [Scenario], quick: Bool) throws(BenchError) {
        workspace = try Workspace()
        certificate = try Certificate(in: workspace)
        privateMount = PrivateMount()
        let list = try Self.list()
        try workspace.write(list, to: "list.json")
        var bigSize = 0
        if scenarios.contains(where: { $0.resource == .big || $0.resource == .form }) {
            bigSize = try Self.writeBig(mebibytes: quick ? 16 : 256, in: workspace)
        }
        sizes = [.small: Self.small.utf8.count, .list: list.count, .big: bigSize, .form: bigSize]
        webServer = try WebServer(folder: workspace.path, certificate: certificate, small: Self.small)
        // It answers from a file, nginx from its memory.
        try workspace.write(Data(Self.small.utf8), to: Scenario.Resource.small.path)
        let needsStreams = scenarios.contains { $0.endpoint == .streams }
        streamServer = needsStreams ? try StreamServer(folder: workspace.path, certificate: certificate) : nil
        programs = try Programs.folder()
    }

    /// Whether a side can take part on this machine.
    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool {
        scenario.parts[side] != nil && (side != .peer || !scenario.endpoint.isSecure || privateMount != nil)
    }

    /// Runs a side in a process of its own, and looks at what came of its work.
    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult {
        guard case .exchange(let task) = part.task else { throw BenchError("\(scenario.name): no task of this area") }
        var workload = Workload(
            task: task,
            url: url(of: scenario),
            requests: part.requests,
            concurrency: scenario.concurrency,
            warmUp: scenario.warmUp,
            bodyBytes: sizes[scenario.resource] ?? 0,
            authorities: scenario.endpoint.isSecure ? certificate.file : nil,
            file: file(for: task)
        )
        var bundle: String?
        if scenario.trustsSystem {
            bundle = certificate.fullBundle
            // Each side with its default, or else told the same authorities.
            workload.authorities = privateMount == nil ? bundle : nil
        } else if side == .peer {
            bundle = workload.authorities
        }
        let result = try run("\(programs)/\(part.program)", workload, bundle: bundle)
        if let version = scenario.endpoint.version, result.version != version {
            throw BenchError("\(part.program): spoke \(result.version ?? "nothing") to \(workload.url)")
        }
        if let wanted = scenario.connections, side != .peer, result.connections != wanted {
            throw BenchError("\(part.program): \(result.connections ?? 0) connections in place of \(wanted)")
        }
        try check(workload)
        return result
    }

    private func run(_ program: String, _ workload: Workload, bundle: String?) throws(BenchError) -> SideResult {
        var command = [program] + workload.arguments
        if let bundle, let privateMount { command = privateMount.command(command, bundle: bundle) }
        // URLSession downloads into the temporary folder; a rename is all that is left then, as on the other sides.
        return try Programs.result(of: command, environment: ["TMPDIR": workspace.path])
    }

    private func url(of scenario: Scenario) -> String {
        let base =
            switch scenario.endpoint {
            case .plain: "http://127.0.0.1:\(webServer.plainPort)"
            case .secure: "https://127.0.0.1:\(webServer.securePort)"
            case .handshake: "https://127.0.0.1:\(webServer.handshakePort)"
            case .http2: "https://127.0.0.1:\(webServer.http2Port)"
            case .streams: "https://127.0.0.1:\(streamServer?.port ?? 0)"
            }
        return "\(base)/\(scenario.resource.path)"
    }

    private func file(for task: Workload.Task) -> String? {
        switch task {
        case .download: "\(workspace.path)/received"
        case .upload: "\(workspace.path)/\(Scenario.Resource.big.path)"
        case .pinned: certificate.pinsFile
        case .fetch, .cold, .decode, .executor, .pipeline: nil
        }
    }

    private func check(_ workload: Workload) throws(BenchError) {
        let count = workload.requestsInAll
        let deliveries = Deliveries(of: "\(workspace.path)/\(Scenario.Resource.big.path)")
        switch workload.task {
        case .download: try deliveries.takeFiles(named: workload.file ?? "", count: count)
        case .upload: try deliveries.takeForms(in: "\(workspace.path)/\(WebServer.bodies)", count: count)
        case .fetch, .cold, .decode, .executor, .pipeline, .pinned: break
        }
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
    /// Its path on the server.
    var path: String {
        switch self {
        case .small: "small.json"
        case .list: "list.json"
        case .big: "big.bin"
        case .form: "upload"
        }
    }
}
