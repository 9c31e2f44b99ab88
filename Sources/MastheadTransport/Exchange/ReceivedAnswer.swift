import FoundationEssentials

/// An answer as the loop hands it over: whole, its head not read yet, its codings not undone.
///
/// Both are left to the caller's task, because the loop's one thread serves every exchange.
struct ReceivedAnswer: Sendable {
    let status: Int
    /// The lines of the head.
    let head: [UInt8]
    let body: Data
    let version: TransportResponse.Version

    /// Reads the head.
    func response() throws(TransportError) -> TransportResponse {
        guard let head = ResponseHead(lines: head, status: status) else { throw .invalidResponse("no status line") }
        return TransportResponse(status: head.status, headers: head.headers, body: body, version: version)
    }
}
