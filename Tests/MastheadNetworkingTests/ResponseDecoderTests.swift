import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

/// What a configuration's decoder and options make of an answer.
@Suite("ResponseDecoder")
struct ResponseDecoderTests {
    /// Ours and Foundation's.
    private static let both: [any ResponseDecoder] = [.masthead, .foundation]

    private struct Plain: Decodable, Sendable, Equatable {
        let id: String
        let tags: [Int8]
    }

    private struct Refusing: Decodable, Sendable {
        struct Refusal: Error {}
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Int.self)
            throw Refusal()
        }
    }

    private struct Everything: Codable, Sendable, Equatable {
        static let key = CodingUserInfoKey(rawValue: "shelf")

        let publishDate: Date
        let cover: Data
        let weight: Double
        let counts: [String: Int]
    }

    private struct Shelf: Decodable, Sendable {
        let name: String?
        init(from decoder: any Decoder) throws { name = Everything.key.flatMap { decoder.userInfo[$0] as? String } }
    }

    /// One of an app's own.
    private struct CountingDecoder: ResponseDecoder {
        let calls = Lock(0)
        func decode<Value: Decodable>(_ type: Value.Type, from body: Data, _ options: DecodingOptions) throws -> Value {
            calls.withLock { $0 += 1 }
            return try MastheadDecoder().decode(type, from: body, options)
        }
    }

    private func perform<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ body: String,
        _ configure: (inout NetworkingConfiguration) -> Void
    ) async -> Result<Value, RepositoryError> {
        let repository = AbstractRepository(
            configuration: .test(configure),
            executor: ClosureExecutor(answers: [.answer(200, body: body)])
        )
        return await repository.perform(Request<Value>.get("x"))
    }

    @Test("is ours, unless the configuration has another")
    func isChosen() async throws {
        #expect(NetworkingConfiguration(domainURL: "api.example.com").decoder is MastheadDecoder)
        let own = CountingDecoder()
        let value = try await perform(Plain.self, #"{"id": "a", "tags": [1]}"#) { $0.decoder = own }.get()
        #expect(value == Plain(id: "a", tags: [1]))
        #expect(own.calls.withLock { $0 } == 1)
    }

    @Test("of either kind fails with the path and the place", arguments: both.indices)
    func failsAlike(index: Int) async {
        let cases: [(String, String, String, Int)] = [
            (#"{"id": "a", "tags": [1, 300]}"#, "tags[1]", "expected Int8, found a number that it cannot hold", 24),
            (#"{"id": "a", "tags": [1, 1.5]}"#, "tags[1]", "expected Int8, found a number that it cannot hold", 24),
            (#"{"id": 1, "tags": []}"#, "id", "expected String, found a number", 7),
            (#"{"id": "a"}"#, "tags", "the member is missing", 0),
        ]
        for (body, path, reason, offset) in cases {
            let failure = await perform(Plain.self, body) { $0.decoder = Self.both[index] }.failure
            guard case .decodeError(let told)? = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(told.codingPath == path)
            #expect(told.reason == reason)
            #expect(told.byteOffset == offset)
        }
        let refusal = await perform([String: [Refusing]].self, #"{"list": [7]}"#) { $0.decoder = Self.both[index] }
        guard case .decodeError(let told)? = refusal.failure else {
            Issue.record("\(refusal)")
            return
        }
        #expect(told.codingPath == "list[0]")
        #expect(told.reason == "the model threw Refusal, found a number")
        #expect(told.byteOffset == 10)
    }

    @Test("of either kind reads as the options say, and what they write", arguments: both.indices)
    func readsByOptions(index: Int) async throws {
        var options = DecodingOptions()
        options.dates = .deferredToDate
        options.bytes = .deferredToData
        options.oddNumbers = .strings(positiveInfinity: "much", negativeInfinity: "little", nan: "none")
        options.keys = .custom(
            decode: { path in Name(stringValue: String((path.last?.stringValue ?? "").dropFirst(2))) },
            encode: { path in Name(stringValue: "x-" + (path.last?.stringValue ?? "")) }
        )
        let value = Everything(
            publishDate: Date(timeIntervalSinceReferenceDate: 42.5),
            cover: Data([1, 2, 3]),
            weight: .infinity,
            counts: ["x-a": 1]
        )
        let body = String(decoding: try options.makeEncoder().encode(value), as: UTF8.self)
        #expect(body.contains(#""x-cover":[1,2,3]"#) && body.contains(#""x-weight":"much""#) && body.contains("42.5"))
        let read = try await perform(Everything.self, body) {
            $0.decoder = Self.both[index]
            $0.decoding = options
        }
        .get()
        #expect(read == value)
    }

    @Test("of either kind hands the app's information to its models", arguments: both.indices)
    func handsInformation(index: Int) async throws {
        let shelf = try await perform([Shelf].self, "[{}]") { configuration in
            configuration.decoder = Self.both[index]
            if let key = Everything.key { configuration.decoding.userInfo[key] = "top" }
        }
        .get()
        #expect(shelf.first?.name == "top")
    }

    @Test("of either kind reads any JSON alike", arguments: both.indices)
    func readsAnything(index: Int) async throws {
        let body = #"{"a": [1, -2.5, 1e2, "x", true, null, 18446744073709551615], "snake_case": {"a": {}}, "a": 2}"#
        let value = try await perform(JSONValue.self, body) {
            $0.decoder = Self.both[index]
            $0.decoding.keys = .convertFromSnakeCase
        }
        .get()
        #expect(try value == JSONText(Data(body.utf8)).value())
        let inside = try await perform([String: JSONValue].self, body) { $0.decoder = Self.both[index] }.get()
        #expect(inside["snake_case"] == ["a": [:]])
    }
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
