package import FoundationEssentials

/// The head of an answer as it came from the server, and when.
///
/// Whether its body is complete has been checked before (RFC 9111, section 3.3).
package struct ReceivedAnswer: Sendable, Hashable {
    /// The status code.
    package let status: Int

    /// The header fields, as they came.
    package let headers: HTTPHeaders

    /// When the request was sent, by the wall clock.
    package let requestTime: Date

    /// When the head of the answer was there, by the wall clock.
    package let responseTime: Date

    /// Makes an answer's head.
    package init(status: Int, headers: HTTPHeaders, requestTime: Date, responseTime: Date) {
        self.status = status
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
    }
}
