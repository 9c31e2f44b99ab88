import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Resuming downloads from any server")
struct ResumeSimulation {
    /// script/soak runs a hundred times as many rounds.
    private static let factor = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 100 : 1

    @Test("case 20: whatever a server does, and wherever it breaks off, the file ends as one of its states")
    func endsWhole() throws {
        var random = SeededGenerator(seed: 20)
        var (resumed, restarted) = (0, 0)
        for round in 0..<1000 * Self.factor {
            var server = MovingServer(seed: UInt64(round))
            var (file, state, isWhole) = ([] as [UInt8], nil as ResumeState?, false)
            for _ in 0..<1000 where !isWhole {
                let plan = ResumePlan(url: "u", state: state, partLength: file.count)
                let answer = server.answer(to: plan.headers)
                // A body may break off anywhere.
                let breaksOff = Int.random(in: 0..<4, using: &random) > 0
                let length = Int.random(in: 0...answer.body.count, using: &random)
                let body = breaksOff ? Array(answer.body.prefix(length)) : answer.body
                let isComplete = body.count == answer.body.count
                switch try plan.decision(status: answer.status, headers: answer.headers, now: .now) {
                case .begin(let new): (file, state, isWhole) = (body, new, isComplete)
                case .write(let range, let size):
                    file.replaceSubrange(range.lowerBound..<min(file.count, range.lowerBound + body.count), with: body)
                    isWhole = file.count == size
                    resumed += 1
                case .whole: isWhole = true
                case .restart:
                    (file, state) = ([], nil)
                    restarted += 1
                case .keep: break
                }
            }
            #expect(isWhole)
            #expect(server.states.contains(file), "round \(round)")
        }
        #expect(resumed > 500)
        #expect(restarted > 500)
    }
}

/// A server whose bytes change, and that does with a range what servers do; but a validator always stands for its bytes.
private struct MovingServer {
    private(set) var states: [[UInt8]] = []
    private var random: SeededGenerator
    private let field: String

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed + 1000)
        field = Bool.random(using: &random) ? "ETag" : "Last-Modified"
        change()
    }

    private mutating func change() {
        // Of the same size often, so that only the tag tells them apart.
        let size = Bool.random(using: &random) ? 30 : Int.random(in: 0...40, using: &random)
        states.append((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    mutating func answer(to request: HTTPHeaders) -> (status: Int, headers: HTTPHeaders, body: [UInt8]) {
        if Int.random(in: 0..<10, using: &random) == 0 { change() }
        let bytes = states.last ?? []
        let validator = field == "ETag" ? "\"v\(states.count)\"" : "Sun, 06 Nov \(1000 + states.count) 08:49:37 GMT"
        var headers: HTTPHeaders = [field: validator, "Date": "Sun, 06 Nov 2994 08:49:37 GMT"]
        let offset = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        let isNaive = Int.random(in: 0..<4, using: &random) == 0
        guard let offset, request["If-Range"] == validator || isNaive else {
            if Bool.random(using: &random) { headers["Content-Length"] = "\(bytes.count)" }
            return (Int.random(in: 0..<10, using: &random) == 0 ? 503 : 200, headers, bytes)
        }
        var (start, end) = (offset, bytes.count)
        var size = "\(bytes.count)"
        switch Int.random(in: 0..<12, using: &random) {
        case 0: start = Int.random(in: 0...offset, using: &random)
        case 1: start += 1
        case 2: end = Int.random(in: min(start, end)...end, using: &random)
        case 3: size = "*"
        case 4: size = "\(bytes.count + 1)"
        case 5: headers[field] = nil
        case 6: headers["ETag"] = "W/\"v\(states.count)\""
        case 7: headers["Content-Encoding"] = "gzip"
        case 8: return (200, headers, bytes)
        case 9: return (503, [:], [1, 2, 3])
        default: break
        }
        guard start < end else {
            headers["Content-Range"] = "bytes */\(size)"
            return (416, headers, [])
        }
        headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(size)"
        return (206, headers, Array(bytes[start..<end]))
    }
}
