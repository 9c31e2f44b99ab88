import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

struct NumberDecodingTests {
    private struct Exact: Decodable, Sendable, Equatable {
        let int: Int
        let unsigned: UInt64
    }

    private struct Box<Value: Decodable & Sendable>: Decodable, Sendable {
        let list: [Value]
    }

    private func repository(_ json: String) -> AbstractRepository {
        AbstractRepository(
            configuration: NetworkingConfiguration(domainURL: "api.example.com"),
            executor: StubExecutor { _ in .json(json) }
        )
    }

    @Test("case 14: reads whole numbers of 64 bits exactly")
    func exact() async throws {
        let json = #"{"int": 9007199254740993, "unsigned": 18446744073709551615}"#
        let value = try await repository(json).perform(Request<Exact>.get("x")).get()
        #expect(value == Exact(int: 9_007_199_254_740_993, unsigned: .max))
    }

    @Test("case 14: takes a whole number for one, however it is written")
    func whole() async throws {
        let json = #"{"list": [1.0, -0, 1e2, 9007199254740993]}"#
        let box = try await repository(json).perform(Request<Box<Int>>.get("x")).get()
        #expect(box.list == [1, 0, 100, 9_007_199_254_740_993])
    }

    @Test("case 14: says where a whole number does not fit", arguments: ["9223372036854775808", "1.5", "1e400"])
    func tooBig(number: String) async {
        let failure = await repository(#"{"list": [1, \#(number)]}"#).perform(Request<Box<Int>>.get("x")).failure
        guard case .decodeError(let problem)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(problem.codingPath == "list[1]")
    }
}
