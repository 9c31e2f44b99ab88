import FoundationEssentials

/// An answer as the loop hands it over: its head not read yet, its codings not undone.
///
/// Both are left to the caller's task, because the loop's one thread serves every exchange.
struct ReceivedAnswer: Sendable {
    let head: ReceivedHead
    let body: Data

    /// Reads the head.
    func response() throws(TransportError) -> TransportResponse {
        guard let read = ResponseHead(lines: head.lines, status: head.status) else {
            throw .invalidResponse("no status line")
        }
        return TransportResponse(status: read.status, headers: read.headers, body: body, version: head.version)
    }
}
