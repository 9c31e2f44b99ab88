import FoundationEssentials
import MastheadNetworking
import Testing

enum OrderError: String, CustomRepositoryError, Equatable { case soldOut, expired, conflict, missing }

@Suite("A custom error by a code in the body")
struct CustomErrorTests {
    private func map(_ body: String, status: Int = 400, only: Int? = nil) -> OrderError? {
        let refusal = ResponseError(status: status, body: Data(body.utf8))
        let error: RepositoryError = status == 401 ? .unauthenticatedSession(refusal) : .requestError(refusal)
        let result = Result<Int, RepositoryError>.failure(error)
            .mapCustomError(at: "/error/code", status: only, [40: OrderError.soldOut, "expired": OrderError.expired])
            .mapCustomError([409: OrderError.conflict])
        guard case .customError(let custom as OrderError)? = result.failure else { return nil }
        return custom
    }

    @Test(
        "is found by its value, and by nothing that only looks like it",
        arguments: [
            (#"{"error": {"code": 40}}"#, .soldOut), (#"{"error": {"code": 40.0}}"#, .soldOut),
            (#"{"error": {"code": 4e1}}"#, .soldOut), (#"{"error": {"code": "expired"}}"#, .expired),
            (#"{"error": {"code": "\u0065xpired"}}"#, .expired),
            (#"{"error": {"code": 404}}"#, nil), (#"{"error": {"code": 400}}"#, nil),
            (#"{"error": {"code": "40"}}"#, nil),
            (#"{"error": {"code": "was expired"}}"#, nil), (#"{"code": 40}"#, nil), (#"{"error": "code 40"}"#, nil),
            (#"{"error": {"code": [40]}}"#, nil), (#"{"error": {"code": null}}"#, nil), (#"[40]"#, nil),
            (#"{"error": {"detail": "\"code\": 40"}}"#, nil), ("<html>40 expired</html>", nil), ("", nil),
        ] as [(String, OrderError?)]
    )
    func finds(body: String, expected: OrderError?) {
        #expect(map(body) == expected)
    }

    @Test("a whole number is the same however it is written")
    func wholeNumbers() {
        let refusal = ResponseError(status: 400, body: Data(#"{"code": 40}"#.utf8))
        let result = Result<Int, RepositoryError>.failure(.requestError(refusal))
            .mapCustomError(at: "/code", [40.5: OrderError.expired, 40.0: OrderError.soldOut])
        guard case .customError(OrderError.soldOut)? = result.failure else {
            Issue.record("expected sold out, got \(result)")
            return
        }
    }

    @Test("of a 401 is found too")
    func unauthenticated() {
        #expect(map(#"{"error": {"code": "expired"}}"#, status: 401) == .expired)
    }

    @Test("is looked for at one status if one is given, and a mapping by status comes after it")
    func combines() {
        #expect(map(#"{"error": {"code": 40}}"#, status: 409, only: 400) == .conflict)
        #expect(map(#"{"error": {"code": 40}}"#, status: 409, only: 409) == .soldOut)
        #expect(map(#"{"error": {"code": 41}}"#, status: 409) == .conflict)
        #expect(map(#"{"error": {"code": 41}}"#, status: 410) == nil)
    }
}
