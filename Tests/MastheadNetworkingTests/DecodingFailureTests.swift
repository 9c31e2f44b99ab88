import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

/// A shelf with a field of every kind that can be wrong.
private struct Shelf: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        struct Meta: Decodable, Sendable {
            let published: Date?
            let edition: Edition?
            let url: URL?
            let data: Data?
        }

        let id: String
        let pages: Int8?
        let price: Double?
        let isFree: Bool?
        let meta: Meta?
        let tags: [String]?
        let counts: [String: UInt]?
        let isbn: ISBN?
    }

    let volumes: [Entry]
}

/// A model that has a rule of its own, and an error for it that says too much.
private struct ISBN: Decodable, Sendable {
    struct Invalid: Error { let text: String }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.count == 13 else { throw Invalid(text: text) }
    }
}

@Suite("A body that does not decode")
struct DecodingFailureTests {
    private static let secret = "pl4nted"

    /// Decodes a body, and gives the error and what the hook was told.
    private func decode<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ body: Data,
        _ headers: HTTPHeaders = [:],
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) async -> (error: RepositoryError?, reports: [DecodingFailure]) {
        let reports = Lock<[DecodingFailure]>([])
        let repository = AbstractRepository(
            configuration: .test {
                configure(&$0)
                $0.onDecodingFailure = { failure in reports.withLock { $0.append(failure) } }
            },
            executor: ClosureExecutor { (request) async throws(RepositoryError) in
                HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
            }
        )
        let error = await repository.perform(Request<Value>.get("volumes")).failure
        return (error, reports.withLock { $0 })
    }

    private func decodeError(_ entry: String) async throws -> DecodingFailure {
        let body = Data(#"{"volumes": [{"id": "a"}, {"id": "b", \#(entry)}]}"#.utf8)
        let (error, reports) = await decode(Shelf.self, body)
        guard case .decodeError(let failure)? = error else {
            throw error ?? .cancelled
        }
        #expect(reports == [failure])
        #expect(failure.model == "Shelf")
        #expect(!"\(failure) \(failure.snippet)".contains(Self.secret))
        return failure
    }

    @Test(
        "is told with model, path, kinds and place, and without what it says",
        arguments: [
            (#""tags": ["pl4nted", 7]"#, "volumes[1].tags[1]", "expected String, found a number"),
            (#""tags": {"a": "pl4nted"}"#, "volumes[1].tags", "expected an array, found an object"),
            (#""meta": ["pl4nted"]"#, "volumes[1].meta", "expected an object, found an array"),
            (
                #""meta": {"published": "pl4nted"}"#, "volumes[1].meta.published",
                "the model does not take this value, found a string"
            ),
            (#""meta": {"published": 7}"#, "volumes[1].meta.published", "expected String, found a number"),
            (
                #""meta": {"edition": "pl4nted"}"#, "volumes[1].meta.edition",
                "the model does not take this value, found a string"
            ),
            (
                #""meta": {"data": "pl4nted!"}"#, "volumes[1].meta.data",
                "the model does not take this value, found a string"
            ),
            (#""pages": "pl4nted""#, "volumes[1].pages", "expected Int8, found a string"),
            (#""pages": 300"#, "volumes[1].pages", "expected Int8, found a number that it cannot hold"),
            (#""pages": 1.5"#, "volumes[1].pages", "expected Int8, found a number that it cannot hold"),
            (#""price": 1e999"#, "volumes[1].price", "expected Double, found a number that it cannot hold"),
            (#""isFree": 1"#, "volumes[1].isFree", "expected Bool, found a number"),
            (#""isFree": {}"#, "volumes[1].isFree", "expected Bool, found an object"),
            (
                #""counts": {"it@pl4nted.example": -1}"#, "volumes[1].counts[‹18›]",
                "expected UInt, found a number that it cannot hold"
            ),
            (#""counts": {"a.b": true}"#, "volumes[1].counts[‹3›]", "expected UInt, found a Boolean"),
            (#""isbn": "pl4nted""#, "volumes[1].isbn", "the model threw Invalid, found a string"),
        ]
    )
    func explains(entry: String, path: String, reason: String) async throws {
        let failure = try await decodeError(entry)
        #expect(failure.codingPath == path)
        #expect(failure.reason == reason)
        let offset = try #require(failure.byteOffset)
        #expect(offset > 35)
        #expect(failure.snippet.contains("volumes"))
    }

    @Test("names a member that is missing, and the place of the object that lacks it")
    func missingMember() async {
        let (error, reports) = await decode(Shelf.self, Data(#"{"volumes": [{"id": "a"}, {"tags": []}]}"#.utf8))
        guard case .decodeError(let failure)? = error else {
            Issue.record("expected a decode error, got \(String(describing: error))")
            return
        }
        #expect(reports == [failure])
        #expect(failure.codingPath == "volumes[1].id")
        #expect(failure.reason == "the member is missing")
        #expect(failure.byteOffset == 26)
    }

    @Test("names a null where a value was wanted")
    func absentValue() async throws {
        let (error, _) = await decode([Volume].self, Data(#"[{"id": "a", "title": null}]"#.utf8))
        guard case .decodeError(let failure)? = error else {
            Issue.record("expected a decode error, got \(String(describing: error))")
            return
        }
        #expect(failure.model == "[Volume]")
        #expect(failure.codingPath == "[0].title")
        #expect(failure.reason == "expected String, found null")
        #expect(failure.byteOffset == 22)
    }

    @Test("finds its place under names that were converted")
    func convertedNames() async throws {
        struct Model: Decodable { let publishDate: Int }
        let (error, _) = await decode(Model.self, Data(#"{"publish_date": "x"}"#.utf8)) {
            $0.decoding.keys = .convertFromSnakeCase
        }
        guard case .decodeError(let failure)? = error else {
            Issue.record("expected a decode error, got \(String(describing: error))")
            return
        }
        #expect(failure.codingPath == "publishDate")
        #expect(failure.byteOffset == 17)
    }

    @Test(
        "is told by the byte where it stops being JSON",
        arguments: [
            ("<!DOCTYPE html><p>pl4nted", 0), (#"{"id": "a", "title": "pl4n"#, nil),
            (#"{"id": "a"} trailing pl4nted"#, 12),
            ("   ", nil), (#"{"id": 'pl4nted'}"#, 7), ("[1, 2,]", 6), (#"{"id": nul}"#, nil),
            (String(repeating: "[", count: 100_000), 512),
            (String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000), 2560),
        ] as [(String, Int?)]
    )
    func noJSON(body: String, offset: Int?) async throws {
        let (error, reports) = await decode(Volume.self, Data(body.utf8))
        guard case .jsonError(let failure)? = error else {
            Issue.record("expected no JSON, got \(String(describing: error))")
            return
        }
        #expect(reports == [failure])
        let place = try #require(failure.byteOffset)
        if let offset { #expect(place == offset) }
        #expect(!"\(failure) \(failure.snippet)".contains("pl4n"))
    }

    @Test(
        "is read in the encoding it came in, and a place is told in its own bytes",
        arguments: [
            ([0xEF, 0xBB, 0xBF] + Array(#"["é",7]"#.utf8), "application/json", 9),
            (
                Array(#"["é",7]"#.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
                "application/json; charset=utf-16", 10
            ),
            (Array(#"["é",7]"#.unicodeScalars).map { UInt8($0.value) }, "application/json; charset=ISO-8859-1", 5),
        ] as [([UInt8], String, Int)]
    )
    func encodings(body: [UInt8], type: String, offset: Int) async {
        let headers: HTTPHeaders = ["Content-Type": type]
        let (fine, none) = await decode([JSONValue].self, Data(body), headers)
        #expect(fine == nil)
        #expect(none.isEmpty)
        let (error, reports) = await decode([String].self, Data(body), headers)
        guard case .decodeError(let failure)? = error else {
            Issue.record("expected a decode error, got \(String(describing: error))")
            return
        }
        #expect(reports.count == 1)
        #expect(failure.codingPath == "[1]")
        #expect(failure.byteOffset == offset)
    }

    @Test("in no encoding is told by the byte that shows it")
    func noText() async {
        let (error, reports) = await decode([String].self, Data([0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D]))
        guard case .jsonError(let failure)? = error else {
            Issue.record("expected no JSON, got \(String(describing: error))")
            return
        }
        #expect(reports == [failure])
        #expect(failure.byteOffset == 2)
    }

    @Test(
        "keyed by numbers tells a short one and masks a long one",
        arguments: [
            ("4915112345678", "[‹13›]"), ("+4915112345678", "[‹14›]"), ("42", "42"), ("-4915112345678", "[‹14›]"),
        ]
    )
    func numericKeys(key: String, path: String) async {
        let bodies = [Data(#"{"\#(key)": true}"#.utf8), Data(#"{"\#(key)": -1}"#.utf8)]
        for body in bodies {
            for (error, _) in await [decode([String: UInt].self, body), decode([Int: UInt].self, body)] {
                guard case .decodeError(let failure)? = error else {
                    Issue.record("expected a decode error, got \(String(describing: error))")
                    continue
                }
                #expect(failure.codingPath == path)
                #expect(failure.byteOffset == key.utf8.count + 5)
            }
        }
    }

    @Test("is reported once by manual decoding too")
    func manualDecoding() async throws {
        let reports = Lock<[DecodingFailure]>([])
        let repository = AbstractRepository(
            configuration: .test { $0.onDecodingFailure = { failure in reports.withLock { $0.append(failure) } } },
            executor: ClosureExecutor(answers: [.answer(200, body: #"{"id": 1}"#)])
        )
        let result = await repository.performRaw(.get("volumes")).flatMap { $0.decode(Volume.self) }
        guard case .failure(.decodeError(let failure)) = result else {
            Issue.record("expected a decode error, got \(result)")
            return
        }
        #expect(reports.withLock { $0 } == [failure])
        #expect(failure.codingPath == "id")
    }

    @Test("of a refusal is reported too, and a refusal's body can be read")
    func refusalBodies() async throws {
        let reports = Lock(0)
        let repository = AbstractRepository(
            configuration: .test { $0.onDecodingFailure = { _ in reports.withLock { $0 += 1 } } },
            executor: ClosureExecutor(answers: [
                .answer(422, ["Retry-After": "3"], body: #"{"error": {"code": 40, "fields": ["a"]}}"#)
            ])
        )
        guard case .requestError(let refusal)? = await repository.perform(Request<Void>.get("volumes")).failure else {
            Issue.record("expected a refusal")
            return
        }
        #expect(refusal.value(at: "/error/fields/0") == "a")
        #expect(refusal.value(at: "/error/nothing") == nil)
        #expect(refusal.headers["retry-after"] == "3")
        #expect(try refusal.decode([String: JSONValue].self).get()["error"]?["code"] == 40)
        #expect(refusal.decode(Volume.self).failure != nil)
        #expect(reports.withLock { $0 } == 1)
    }

    @Test("an answer that an app made itself decodes too")
    func ownAnswer() throws {
        let response = HTTPResponse(status: 200, body: Data("[1,2]".utf8), url: URL(filePath: "/"))
        #expect(try response.decode([Int].self).get() == [1, 2])
        #expect(try HTTPResponse.answer(204).decode(Int?.self).get() == nil)
    }

    @Test("a model's name is as in code")
    func modelNames() async {
        let (error, _) = await decode([String: [Volume?]]?.self, Data("7".utf8))
        guard case .decodeError(let failure)? = error else {
            Issue.record("expected a decode error, got \(String(describing: error))")
            return
        }
        #expect(failure.model == "[String: [Volume?]]?")
        #expect(failure.codingPath.isEmpty)
        #expect(failure.byteOffset == 0)
    }
}
