import FoundationEssentials
import MastheadNetworking
import Testing

private enum VolumeError: String, CustomRepositoryError { case unknownVolume, withdrawn, soldOut }

private struct OpaqueError: CustomRepositoryError { let secret: String }

@Suite("A repository's error")
struct RepositoryErrorTests {
    @Test(
        "says what happened in one line",
        arguments: [
            (.invalidURL(reason: "the host is missing"), "invalid URL: the host is missing"),
            (.requestError(ResponseError(status: 404, body: Data("no".utf8))), "refused: status 404, 2 bytes"),
            (.unauthenticatedSession(ResponseError(status: 401)), "not authenticated: status 401, 0 bytes"),
            (.customError(VolumeError.withdrawn), "the app's own error: VolumeError.withdrawn"),
            (.customError(OpaqueError(secret: "x")), "the app's own error: OpaqueError"),
            (.timeout(.connect), "no connection in time"), (.timeout(.idle), "nothing moved for too long"),
            (.timeout(.total), "the call took too long"),
            (.timeout(.queue), "no place among the host's connections in time"), (.cancelled, "cancelled"),
            (.incompleteBody(received: 5, expected: 10), "incomplete body: 5 bytes of 10"),
            (.incompleteBody(received: 5, expected: nil), "incomplete body: 5 bytes"),
            (.bodyTooLarge(limit: 100), "body of more than 100 bytes"),
            (.emptyBody(status: 204), "no body with status 204"),
            (
                .decodeError(DecodingFailure(model: "Volume", codingPath: "title", reason: "gone", byteOffset: 7)),
                "not decoded: Volume at title (byte 7): gone"
            ),
            (.pollingLimit(attempts: 4), "not ready after 4 requests"),
            (
                .circuitOpen(host: "a.example", retryAfter: .milliseconds(1500)),
                "a.example failed too often, nothing is sent for 1500 ms"
            ),
            (
                .pinMismatch(
                    PinMismatch(host: "a.example", expected: ["sha256/A"], built: ["sha256/B CN=b", "sha256/C"])
                ),
                "no certificate of a.example:443 is pinned: sha256/B CN=b, sha256/C"
            ),
            (.dns(host: "a.example"), "no address for a.example"),
            (.tooManyRedirects(limit: 10), "a loop of redirects, or more than 10"),
        ] as [(RepositoryError, String)]
    )
    func describes(error: RepositoryError, text: String) {
        #expect("\(error)" == text)
    }

    @Test("becomes the app's own for a status, the first mapping that knows it wins")
    func mapsStatuses() {
        let result = Result<Int, RepositoryError>.failure(.requestError(ResponseError(status: 410)))
            .mapCustomError([404: VolumeError.unknownVolume, 410: VolumeError.withdrawn])
            .mapCustomError([410: VolumeError.soldOut])
        guard case .failure(.customError(VolumeError.withdrawn)) = result else {
            Issue.record("expected withdrawn, got \(result)")
            return
        }
    }

    @Test("stays what it is for another status, and when it is no refusal")
    func leavesOthers() {
        let mapping: [Int: any CustomRepositoryError] = [404: VolumeError.unknownVolume]
        let others: [RepositoryError] = [
            .requestError(ResponseError(status: 400)), .cancelled, .emptyBody(status: 404),
        ]
        for error in others {
            let mapped = Result<Int, RepositoryError>.failure(error).mapCustomError(mapping).failure
            #expect("\(String(describing: mapped))" == "\(String(describing: Optional(error)))")
        }
    }
}
