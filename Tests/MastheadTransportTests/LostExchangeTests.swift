import CMastheadCurl
import MastheadTransport
import Testing

struct LostExchangeTests {
    @Test("knows what a server cannot have acted on", arguments: lossesOfEachKind)
    func fate(loss: LostExchange, expected: LostExchange.Fate) {
        #expect(loss.fate == expected)
    }

    @Test("sends again what was refused, and what may be repeated where a connection was stale")
    func sendsAgain() {
        let refused = LostExchange(code: CURLE_SEND_FAIL_REWIND, sends: 1)
        #expect(refused.mayBeSentAgain(isIdempotent: false))
        let stale = LostExchange(code: CURLE_GOT_NOTHING, sends: 1, isReused: true)
        #expect(stale.mayBeSentAgain(isIdempotent: true))
        #expect(!stale.mayBeSentAgain(isIdempotent: false))
        let fresh = LostExchange(code: CURLE_GOT_NOTHING, sends: 1)
        #expect(!fresh.mayBeSentAgain(isIdempotent: true))
        let ended = LostExchange(code: CURLE_HTTP2, sends: 1)
        #expect(ended.mayBeSentAgain(isIdempotent: true))
        #expect(!ended.mayBeSentAgain(isIdempotent: false))
    }

    @Test("reads what libcurl remarks of streams", arguments: remarksOfLibcurl)
    func remarks(text: String, expected: StreamRemark?) {
        #expect(StreamRemark(text) == expected)
    }
}

private let lossesOfEachKind: [(LostExchange, LostExchange.Fate)] = [
    (LostExchange(code: CURLE_RECV_ERROR, sends: 0), .notSent),
    (LostExchange(code: CURLE_SEND_ERROR, sends: 1, isReused: true), .notSent),
    (LostExchange(code: CURLE_SEND_ERROR, sends: 1, isReused: true, requestSize: 9), .unknown),
    (LostExchange(code: CURLE_SEND_ERROR, sends: 1), .unknown),
    (LostExchange(code: CURLE_GOT_NOTHING, sends: 1, isReused: true), .unknown),
    (LostExchange(code: CURLE_ABORTED_BY_CALLBACK, sends: 2, wasAskedAgainWithoutError: true), .refused),
    (LostExchange(code: CURLE_ABORTED_BY_CALLBACK, sends: 2), .unknown),
    (LostExchange(code: CURLE_SEND_FAIL_REWIND, sends: 1), .refused),
    (LostExchange(code: CURLE_HTTP2, sends: 1, stream: 5, lastServedStream: 3), .refused),
    (LostExchange(code: CURLE_HTTP2, sends: 1, stream: 3, lastServedStream: 3), .unknown),
    (LostExchange(code: CURLE_HTTP2, sends: 1, lastServedStream: 0), .unknown),
    (LostExchange(code: CURLE_HTTP2, sends: 1, hasHead: true, stream: 5, lastServedStream: 3), .unknown),
    (LostExchange(code: CURLE_RECV_ERROR, sends: 2, wasAskedAgainWithoutError: true, hasHead: true), .unknown),
]

private let remarksOfLibcurl: [(String, StreamRemark?)] = [
    ("Using Stream ID: 5 (easy handle 0x55d0c0a3c2f0)\n", .stream(5)),
    ("recveived GOAWAY, error=0, last_stream=3\n", .lastServed(3)),
    ("received GOAWAY, error=0, last_stream=0", .lastServed(0)),
    ("last_stream=3", nil),
    ("Using Stream ID: ", nil),
    ("Using Stream ID: 99999999999999999999", nil),
    ("Connected to 127.0.0.1", nil),
    ("", nil),
]
