import FoundationEssentials
import MastheadNetworking
import Testing

/// Hostile fields from a seeded generator, so that a failure can be had again.
@Suite("Fuzzing the HTTP cache")
struct HTTPCacheFuzzTests {
    /// script/soak runs a hundred times as many rounds.
    private static let factor = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 100 : 1

    private static let names = [
        "Cache-Control", "Pragma", "Expires", "Date", "Age", "Vary", "ETag", "Last-Modified", "Connection", "Location",
        "X-Kept",
        "Content-Location", "Content-Length", "If-None-Match", "Accept", "Accept-Encoding",
    ]

    private static let pieces = [
        "max-age=", "no-cache", "no-store", "=\"", "\"", "\\", ",", ";", " ", "\t", "9", "99999999999999999999", "-1",
        "2147483648", "*",
        "stale-while-revalidate=60", "stale-if-error", "must-revalidate", "immutable", "min-fresh", "max-stale",
        "W/\"a\"", "\"a\"",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "GMT", "x", "\u{0}", "\r\n", "é", "e\u{301}",
        "\u{1F600}", "/",
        "?", "#", "%", "%2E", "https://example.com:443", "//", "@", ":",
    ]

    private static let policies: [CachePolicy] = [
        .standard, .networkOnly, .cacheOnly, .cacheFirst(), .cacheFirst(maxAge: .seconds(60)), .networkFirst(),
        .networkFirst(fallback: .seconds(-1)), .staleWhileRevalidate,
    ]

    private static func headers(_ random: inout SeededGenerator) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            var value = ""
            for _ in 0..<Int.random(in: 0...5, using: &random) { value += pieces.randomElement(using: &random) ?? "" }
            headers.append(value, for: names.randomElement(using: &random) ?? "")
        }
        return headers
    }

    private static func date(_ random: inout SeededGenerator) -> Date {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .distantPast
        case 1: .distantFuture
        default: cacheArrival.addingTimeInterval(.random(in: -1e6...1e6, using: &random))
        }
    }

    @Test("no fields and no clock make it trap, serve against the server's word, or give an age below 0")
    func survivesFields() throws {
        var random = SeededGenerator(seed: 3)
        var served = 0
        for _ in 0..<1500 * Self.factor {
            let request = cacheRequest(Self.headers(&random))
            let candidates = (0..<3).compactMap { _ -> StoredAnswer? in
                let status = [200, 200, 203, 301, 302, 404].randomElement(using: &random) ?? 200
                let time = Self.date(&random)
                let headers = Self.headers(&random)
                let answer = ReceivedAnswer(
                    status: status,
                    headers: headers,
                    requestTime: time,
                    responseTime: Self.date(&random)
                )
                return try? StoredAnswer(
                    storing: answer,
                    to: cacheRequest(request.control.noStore ? [:] : request.headers)
                )
            }
            let now = Self.date(&random)
            for stored in candidates {
                #expect(StoredAnswer(decoding: stored.encoded(), key: stored.key) == stored)
                #expect(stored.freshness.age(at: now) >= 0 && stored.freshness.lifetime >= 0)
                #expect(stored.servedHeaders(at: now)["Age"].flatMap { Int($0) } ?? -1 >= 0)
            }
            let policy = Self.policies.randomElement(using: &random) ?? .standard
            let exchange = CacheExchange(request: request, policy: policy, candidates: candidates)
            switch exchange.decision(at: now) {
            case .fresh(let place), .staleWhileRevalidate(let place, _):
                served += 1
                #expect(place == exchange.selected && policy != .networkOnly)
                #expect(!candidates[place].control.noCache)
                if candidates[place].control.mustRevalidate { #expect(candidates[place].isFresh(at: now)) }
            default: break
            }
            let status = [200, 200, 304, 304, 404, 503].randomElement(using: &random) ?? 200
            let answer = ReceivedAnswer(
                status: status,
                headers: Self.headers(&random),
                requestTime: now,
                responseTime: now
            )
            if case .store(let new, _) = exchange.outcome(of: answer) {
                #expect(!new.control.noStore || new.control.mustUnderstand)
            }
            _ = cacheRequest(request.headers, method: .head).invalidatedKeys(by: answer)
            _ = cacheRequest(request.headers, method: .post).invalidatedKeys(by: answer)
            _ = CacheExchange(
                request: cacheRequest(request.headers, method: .head),
                policy: policy,
                candidates: candidates
            )
            .outcome(of: answer)
        }
        #expect(served > 50)
    }

    @Test("no bytes make a head trap, or one that is not what it says")
    func survivesBytes() throws {
        var random = SeededGenerator(seed: 4)
        let stored = try storedAnswer(["Vary": "X", "ETag": "\"a\"", "X": "é"], request: cacheRequest(["X": "1"]))
        let (sample, key) = (stored.encoded(), stored.key)
        var decoded = 0
        for _ in 0..<4000 * Self.factor {
            var bytes = sample
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: .min ... .max, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.remove(at: place)
                default: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
                }
            }
            guard let answer = StoredAnswer(decoding: bytes, key: key) else { continue }
            decoded += 1
            #expect(answer.encoded() == bytes)
            _ = cacheExchange([answer]).decision(at: cacheArrival)
        }
        #expect(decoded > 0)
        for count in 0..<200 {
            let noise = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(StoredAnswer(decoding: noise, key: key) == nil)
        }
    }

    @Test("a long field takes time in proportion to its length")
    func staysLinear() {
        // Quadratic work on this would take a minute.
        let quotes = String(repeating: "\",", count: 100_000)
        _ = VariantKey(answer: ["Vary": "Accept"], request: ["Accept": quotes])
        #expect(VariantKey(answer: ["Vary": quotes], request: [:]) != nil)
        #expect(CacheControl(response: ["Cache-Control": quotes]).noStore)
        #expect(CacheKey("https://example.com/\(String(repeating: "%41%zz", count: 100_000))") != nil)
    }
}
