import CMastheadCurl

extension Transfer {
    /// What libcurl's failure means.
    func failure(of code: CURLcode, _ handle: EasyHandle) -> TransportError {
        let failure = CurlFailure(
            code: code,
            systemError: Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO)),
            message: handle.text(of: code),
            host: origin.host,
            isConnected: attempt.sends > 0,
            isProxied: proxy != nil,
            isHeadComplete: attempt.head.isComplete,
            received: attempt.received,
            expected: handle.expectedLength
        )
        return failure.error(hasNetwork: NetworkInterfaces.hasRoute)
    }

    /// What is known of an exchange that ended without an answer.
    func loss(_ code: CURLcode, _ handle: EasyHandle) -> LostExchange {
        LostExchange(
            code: code,
            sends: attempt.sends,
            wasAskedAgainWithoutError: attempt.wasAskedAgainWithoutError,
            isReused: handle.number(CURLINFO_NUM_CONNECTS) == 0,
            hasHead: !attempt.head.lines.isEmpty || attempt.head.isComplete,
            requestSize: handle.number(CURLINFO_REQUEST_SIZE),
            stream: attempt.stream,
            lastServedStream: attempt.lastServedStream
        )
    }

    /// What a proxy says of itself is not the server's answer (RFC 9110, section 15.5.8).
    func checkProxy(_ handle: EasyHandle) throws(TransportError) {
        guard let proxy, proxy.answersInPlain, !origin.isSecure, handle.number(CURLINFO_RESPONSE_CODE) == 407 else {
            return
        }
        throw .proxy("it wants a user and a password, or others: status 407")
    }
}
