import CMastheadCurl
import Glibc
import MastheadTransport
import Testing

struct CurlFailureTests {
    private func failure(_ code: CURLcode, errno: Int32 = 0, head: Bool = false) -> CurlFailure {
        CurlFailure(
            code: code,
            systemError: errno,
            message: "why",
            host: "a.example",
            isConnected: true,
            isHeadComplete: head,
            received: 5,
            expected: 10
        )
    }

    @Test("tells a name that does not resolve from a machine without a network")
    func tellsNoNetwork() {
        #expect(failure(CURLE_COULDNT_RESOLVE_HOST).error(hasNetwork: true) == .dns(host: "a.example"))
        #expect(failure(CURLE_COULDNT_RESOLVE_HOST).error(hasNetwork: false) == .noNetwork)
    }

    @Test(
        "reads why a connection failed",
        arguments: [
            (ECONNREFUSED, TransportError.refused(host: "a.example")), (ENETUNREACH, .noNetwork),
            (EHOSTUNREACH, .noNetwork), (ETIMEDOUT, .connectTimeout),
            (EMFILE, .setup("no file descriptor is left")),
        ]
    )
    func readsErrno(errno: Int32, expected: TransportError) {
        #expect(failure(CURLE_COULDNT_CONNECT, errno: errno).error(hasNetwork: true) == expected)
    }

    @Test(
        "tells a lost connection from a body cut short",
        arguments: [CURLE_RECV_ERROR, CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_PARTIAL_FILE]
    )
    func tellsCuts(code: CURLcode) {
        #expect(failure(code).error(hasNetwork: true) == .connectionLost(mayHaveBeenProcessed: true))
        #expect(failure(code, head: true).error(hasNetwork: true) == .incompleteBody(received: 5, expected: 10))
    }

    @Test(
        "blames the proxy for what happens before a request is sent through it",
        arguments: [
            CURLE_COULDNT_CONNECT, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_PROXY,
            CURLE_COULDNT_RESOLVE_PROXY,
        ]
    )
    func blamesProxy(code: CURLcode) {
        var failure = failure(code)
        failure.isProxied = true
        failure.isConnected = false
        #expect(failure.error(hasNetwork: true) == .proxy("why"))
        failure.isConnected = true
        if code == CURLE_RECV_ERROR {
            #expect(failure.error(hasNetwork: true) == .connectionLost(mayHaveBeenProcessed: true))
        }
    }

    @Test("tells TLS, time-outs and answers that are no HTTP")
    func tellsOthers() {
        #expect(failure(CURLE_PEER_FAILED_VERIFICATION).error(hasNetwork: true) == .tls("why"))
        #expect(failure(CURLE_OPERATION_TIMEDOUT).error(hasNetwork: true) == .connectTimeout)
        #expect(failure(CURLE_UNSUPPORTED_PROTOCOL).error(hasNetwork: true) == .invalidResponse("why"))
    }
}
