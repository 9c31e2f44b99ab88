import FoundationEssentials
import MastheadNetworking

/// Sun, 06 Nov 1994 08:49:37 GMT: when answers come in these tests, unless they say otherwise.
let cacheArrival = Date(timeIntervalSince1970: 784_111_777)

/// `cacheArrival` as a field has it.
let cacheArrivalField = "Sun, 06 Nov 1994 08:49:37 GMT"

/// A request for a page.
func cacheRequest(
    _ headers: HTTPHeaders = [:],
    method: HTTPMethod = .get,
    url: String = "https://api.example.com/volumes"
) -> CacheRequest {
    CacheRequest(method: method, url: url, headers: headers)
}

/// An answer that came at `cacheArrival`, or some seconds later, in no time.
func receivedAnswer(_ headers: HTTPHeaders, status: Int = 200, after seconds: TimeInterval = 0) -> ReceivedAnswer {
    let time = cacheArrival.addingTimeInterval(seconds)
    return ReceivedAnswer(status: status, headers: headers, requestTime: time, responseTime: time)
}

/// What is stored of such an answer.
func storedAnswer(
    _ headers: HTTPHeaders,
    status: Int = 200,
    after seconds: TimeInterval = 0,
    request: CacheRequest = cacheRequest()
) throws -> StoredAnswer {
    try StoredAnswer(storing: receivedAnswer(headers, status: status, after: seconds), to: request)
}

/// An exchange about what is stored.
func cacheExchange(
    _ candidates: [StoredAnswer],
    _ headers: HTTPHeaders = [:],
    policy: CachePolicy = .standard,
    method: HTTPMethod = .get
) -> CacheExchange {
    CacheExchange(request: cacheRequest(headers, method: method), policy: policy, candidates: candidates)
}

/// The word for what is decided, so that a table reads like one.
extension CacheDecision {
    var word: String {
        switch self {
        case .fresh: "serve"
        case .staleWhileRevalidate: "meanwhile"
        case .validate: "validate"
        case .fetch: "fetch"
        case .bypass: "bypass"
        case .unsatisfiable: "504"
        }
    }
}

/// The word for what an answer does.
extension CacheOutcome {
    var word: String {
        switch self {
        case .pass(let removed): removed.isEmpty ? "pass" : "remove"
        case .store: "store"
        case .freshen: "freshen"
        case .update: "update"
        case .fallBack: "fall back"
        case .fetchAgain: "again"
        }
    }
}
