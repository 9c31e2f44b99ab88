import FoundationEssentials
import MastheadJSON
import MastheadNetworking
import Testing

/// Hostile input from a seeded generator, so that a failure can be had again.
@Suite("Fuzzing")
struct FuzzTests {
    /// script/soak runs a hundred times as many rounds.
    private static let factor = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 100 : 1

    private static let samples = [
        #"{"volumes": [{"id": "64a0c0", "title": "Tidewater – \u00e9\ud83d\ude00", "n": [1, -2.5e3, true, null]}], "meta": {}}"#,
        #"[[[[]]], {"a/b": {"m~n": "x"}}, "", 0, -0.1e-7, "\"\\\/\b\f\n\r\t"]"#,
        "\u{FEFF}  {\"a\" : [ 1 , 2 ] }  ",
    ]

    @Test("no bytes make the JSON scanner trap, show a value, or disagree with itself")
    func mutatesJSON() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<3000 * Self.factor {
            var bytes = Array(Self.samples[round % Self.samples.count].utf8)
            for _ in 0..<Int.random(in: 0...6, using: &random) { Self.mutate(&bytes, &random) }
            let text = JSONText(Data(bytes))
            let offset = Int.random(in: -3...bytes.count + 3, using: &random)

            let error = text.syntaxError
            let value = try? text.value()
            let snippet = text.snippet(around: offset, limit: Int.random(in: 0...500, using: &random))
            _ = text.offset(
                of: [PathKey("volumes"), PathKey(0), PathKey("n"), PathKey(3)],
                keys: .convertFromSnakeCase
            )
            let pointed = text.value(at: "/volumes/0/title")

            #expect((error == nil) == (value != nil))
            #expect(error.map { (0...bytes.count).contains($0.offset) } ?? true)
            #expect(snippet.utf8.count <= 500)
            #expect(!snippet.contains("Tidewater") && !snippet.contains("64a0c0"))
            if let value { #expect(pointed == value.value(at: "/volumes/0/title")) }
            for type in [nil, "text/json; charset=utf-16", "text/json; charset=latin1"] {
                if let body = try? BodyText(Data(bytes), contentType: type) {
                    #expect(String(validating: Array(body.utf8), as: UTF8.self) != nil)
                }
            }
        }
    }

    @Test("what is valid here is valid for the decoder")
    func agreesWithDecoder() throws {
        var random = SeededGenerator(seed: 2)
        var valid = 0
        for round in 0..<3000 * Self.factor {
            var bytes = Array(Self.samples[round % 2].utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) { Self.mutate(&bytes, &random) }
            guard let value = try? JSONText(Data(bytes)).value() else { continue }
            valid += 1
            #expect(throws: Never.self) {
                let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
                #expect(decoded == value)
            }
        }
        #expect(valid > 300)
    }

    @Test("any path and query comes out of the URL as it went in")
    func roundTripsURLs() throws {
        var random = SeededGenerator(seed: 3)
        let configuration = NetworkingConfiguration(domainURL: "h.example", subdomainURL: "v1")
        for _ in 0..<1000 * Self.factor {
            let (first, second) = (Self.text(&random), Self.text(&random))
            let (name, value) = (Self.text(&random), Self.text(&random))
            let isImpossible = [first, second].contains { text in
                text.isEmpty || text == "." || text == ".." || text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            }
            let url = try? configuration.url(
                for: "a/\(first)/b/\(second)",
                query: [name: .string(value), "list": [.string(value), .string(name)]]
            )
            guard let url else {
                #expect(isImpossible)
                continue
            }
            #expect(!isImpossible)
            let parts = url.absoluteString.dropFirst("https://h.example/".count).split(separator: "?", maxSplits: 1)
            let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(Self.decode)
            #expect(segments == ["v1", "a", first, "b", second])
            let pairs = parts[1].split(separator: "&").map { pair in
                pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decode)
            }
            #expect(pairs == [[name, value], ["list[]", value], ["list[]", name]])
        }
    }

    @Test("any form comes out as it went in")
    func roundTripsForms() throws {
        var random = SeededGenerator(seed: 4)
        let configuration = NetworkingConfiguration(domainURL: "h.example")
        for _ in 0..<1000 * Self.factor {
            let (name, value) = (Self.text(&random), Self.text(&random))
            let request = Request<Void>.post("x", body: .form([name: .string(value)]))
            let body = try #require(try configuration.makeHTTPRequest(from: request).body?.data)
            let pair = String(decoding: body, as: UTF8.self).replacing("+", with: "%20")
                .split(separator: "=", omittingEmptySubsequences: false)
            #expect(pair.map(Self.decode) == [name, value])
        }
    }

    @Test("no string makes the readers of hosts, dates and fields trap")
    func mutatesText() {
        var random = SeededGenerator(seed: 5)
        let seeds = [
            "https://api.example:8443/v1/x?y=z", "[::1]:8080", "2026-01-05T09:00:00.123+01:00",
            "Sunday, 06-Nov-94 08:49:37 GMT", "application/json; charset=\"utf-16\"", "Sun Nov  6 08:49:37 1994",
            "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:, md5=:AAAA:",
        ]
        let configuration = NetworkingConfiguration(domainURL: "api.example", subdomainURL: "v1")
        for round in 0..<3000 * Self.factor {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) { Self.mutate(&bytes, &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            try? NetworkingConfiguration(domainURL: text, subdomainURL: text).validate()
            if let url = try? NetworkingConfiguration(domainURL: text).url(for: "x") {
                #expect(url.host() != nil && url.path() == "/x" && url.user() == nil)
            }
            if let url = try? configuration.url(pinnedToOrigin: text) {
                #expect(url.absoluteString.hasPrefix("https://api.example/v1"))
                #expect(url.host() == "api.example" && url.user() == nil && url.port == nil)
            }
            if let date = Date(iso8601: text) { #expect(date.iso8601 != nil || date.timeIntervalSince1970 < -6e10) }
            _ = Date(httpDate: text, now: Date(timeIntervalSince1970: 0))
            _ = RetryAfter.delay(of: text, at: Date(timeIntervalSince1970: 0))
            _ = try? BodyText(Data("{}".utf8), contentType: text)
            _ = JSONPointer(validating: text)
            _ = Checksum.sha256(text)
            #expect(throws: Never.self) { try Checksum(status: 200, headers: ["Repr-Digest": text])?.validate() }
        }
    }

    @Test("any multipart form comes out as it went in")
    func roundTripsMultipartForms() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<1000 * Self.factor {
            let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                // `%` is not escaped, so that it may not come out as it went in.
                let name = Self.text(&random).replacing("%", with: "\"\r\n--")
                var content = Array((Self.text(&random) + "\r\n--masthead-\r\n").utf8)
                for _ in 0..<Int.random(in: 0...6, using: &random) { Self.mutate(&content, &random) }
                return (name: name, content: content)
            }
            let form = MultipartForm(parts.map { .data($0.name, Data($0.content), filename: $0.name) })
            let layout = try MultipartLayout(form)
            var body: [UInt8] = []
            for case .bytes(let data) in layout.segments { body.append(contentsOf: data) }
            #expect(body.count == layout.length)

            let delimiter = Array("\r\n--\(form.contentType.dropFirst("multipart/form-data; boundary=".count))".utf8)
            let pieces = (Array("\r\n".utf8) + body)
                .split(separator: delimiter, omittingEmptySubsequences: false)
            #expect(pieces.count == parts.count + 2)
            #expect(pieces.first?.isEmpty == true && pieces.last.map(Array.init) == Array("--\r\n".utf8))
            for (piece, part) in zip(pieces.dropFirst(), parts) {
                let halves = piece.split(separator: Array("\r\n\r\n".utf8), maxSplits: 1)
                let quoted = String(decoding: halves[0], as: UTF8.self).split(separator: "\"")
                let name = quoted.count > 3 ? quoted[1].replacing("%22", with: "\"").replacing("%0D", with: "\r") : ""
                #expect(name.replacing("%0A", with: "\n") == part.name)
                #expect(halves.dropFirst().first.map(Array.init) ?? [] == part.content)
            }
        }
    }

    @Test("no header fields make a resumed download trap, leave a hole, or go on without the same validator")
    func mutatesParts() throws {
        var random = SeededGenerator(seed: 6)
        let now = Date(timeIntervalSince1970: 784_111_777)
        var written = 0
        for round in 0..<3000 * Self.factor {
            let texts = [#""v1""#, "bytes 4-9/10", "10", "identity"].map { text in
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 0...1, using: &random) { Self.mutate(&bytes, &random) }
                return String(decoding: bytes, as: UTF8.self)
            }
            let first: HTTPHeaders = ["ETag": round % 2 == 0 ? #""v1""# : texts[0], "Content-Length": texts[2]]
            let state = ResumeState(url: "u", status: 200, headers: first, now: now)
            let plan = ResumePlan(url: "u", state: state, partLength: Int.random(in: 0...11, using: &random))
            let headers: HTTPHeaders = [
                "ETag": texts[0], "Content-Range": texts[1], "Content-Encoding": texts[3],
            ]
            #expect(throws: Never.self) { try plan.headers.validate() }
            for status in [200, 206, 416] {
                guard case .write(let range, let size)? = try? plan.decision(status: status, headers: headers, now: now)
                else { continue }
                written += 1
                #expect(status == 206 && range.contains(plan.offset) && range.upperBound <= size ?? .max)
                #expect(texts[0].trimmingPrefix(" ").hasPrefix(state?.validator ?? "none"))
            }
            if let tag = EntityTag(texts[0]) { #expect(EntityTag(tag.description) == tag) }
        }
        #expect(written > 100)
    }

    /// Changes, removes, doubles or cuts something.
    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] = Array(#"{}[]",:\u0/?#%@"#.utf8).randomElement(using: &random) ?? 0
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(bytes[index], at: index)
        case 4: bytes.removeSubrange(index...)
        default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
    }

    /// Text of what URLs find hard.
    private static func text(_ random: inout SeededGenerator) -> String {
        let hard = [
            "/", "?", "#", "%", "%2F", "+", "&", "=", ";", ",", " ", ".", "..", "[", "]", "é", "📰", "\"", "a", "7",
            "\\", "\n",
        ]
        return (0..<Int.random(in: 0...5, using: &random)).map { _ in hard.randomElement(using: &random) ?? "" }
            .joined()
    }

    /// A decoder of its own: `%XX` and nothing else.
    private static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                bytes.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
