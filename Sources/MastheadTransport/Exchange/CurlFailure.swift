package import CMastheadCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What is known of a failed transfer, and the error that it means.
package struct CurlFailure {
    package var code: CURLcode
    /// `errno` of the last connection attempt; 0 if there was none.
    package var systemError: Int32
    package var message: String
    package var host: String
    /// Whether the request was about to be sent, so a connection stood.
    package var isConnected: Bool
    /// Whether there was a proxy between.
    package var isProxied: Bool
    package var isHeadComplete: Bool
    package var received: Int
    package var expected: Int?

    package init(
        code: CURLcode,
        systemError: Int32,
        message: String,
        host: String,
        isConnected: Bool,
        isProxied: Bool = false,
        isHeadComplete: Bool,
        received: Int,
        expected: Int?
    ) {
        self.code = code
        self.systemError = systemError
        self.message = message
        self.host = host
        self.isConnected = isConnected
        self.isProxied = isProxied
        self.isHeadComplete = isHeadComplete
        self.received = received
        self.expected = expected
    }

    /// The error this failure means.
    ///
    /// `hasNetwork` says whether the machine has a way beyond itself; it is asked only when it matters.
    package func error(hasNetwork: @autoclosure () -> Bool) -> TransportError {
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY:
            return hasNetwork() ? .proxy(message) : .noNetwork
        case CURLE_PROXY:
            return .proxy(message)
        case CURLE_COULDNT_RESOLVE_HOST:
            return hasNetwork() ? .dns(host: host) : .noNetwork
        case CURLE_COULDNT_CONNECT:
            return connectionError
        case CURLE_OPERATION_TIMEDOUT:
            return .connectTimeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            return .tls(message)
        case CURLE_URL_MALFORMAT:
            return .invalidURL(message)
        // Until a request is sent, all that is heard on a connection is the proxy's.
        case _ where isProxied && !isConnected && (Self.isOfConnection(code) || Self.isOfAnswer(code)):
            return .proxy(message)
        case _ where Self.isOfAnswer(code):
            return .invalidResponse(message)
        case _ where Self.isOfConnection(code):
            return isHeadComplete
                ? .incompleteBody(received: received, expected: expected)
                : .connectionLost(mayHaveBeenProcessed: isConnected)
        default:
            return isConnected ? .invalidResponse(message) : .setup(message)
        }
    }

    /// Whether it means that the connection, or the stream on it, ended too early.
    package static func isOfConnection(_ code: CURLcode) -> Bool {
        [
            CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND, CURLE_ABORTED_BY_CALLBACK,
        ].contains(code)
    }

    /// Whether it means that what came is no answer.
    private static func isOfAnswer(_ code: CURLcode) -> Bool {
        [CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING].contains(code)
    }

    private var connectionError: TransportError {
        switch systemError {
        case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL: .noNetwork
        case ETIMEDOUT: .connectTimeout
        case EMFILE, ENFILE: .setup("no file descriptor is left")
        default: isProxied ? .proxy(message) : .refused(host: host)
        }
    }
}
