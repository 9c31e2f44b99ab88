import CMastheadCurl

extension Transfer {
    /// How long a server whose answer is whole may let the rest of the request wait.
    static var patience: Duration { .seconds(1) }

    /// Whether the answer to an upload is whole, over HTTP/2.
    ///
    /// A server may have no room for the rest of the request then, for good, and need not say so (RFC 9113, section 8.1):
    /// libcurl would wait for it, as it does for nginx.
    var isAnswered: Bool {
        guard request.body != nil, attempt.head.isComplete, let handle,
            handle.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0
        else { return false }
        let hasNoBody = handle.number(CURLINFO_RESPONSE_CODE) == 204
        return (hasNoBody ? 0 : attempt.head.contentLength) == attempt.received
    }

    /// What it ends in when a deadline has passed.
    func outcome(after deadline: TransportError) -> Outcome {
        isAnswered && attempt.abort == nil ? outcome(of: CURLE_OK) ?? .failure(deadline) : .failure(deadline)
    }
}
