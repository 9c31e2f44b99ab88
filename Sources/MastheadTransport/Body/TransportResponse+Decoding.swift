import FoundationEssentials

extension TransportResponse {
    /// The codings to undo in the body, in the order they were applied; none for a body that is empty.
    func bodyCodings(for request: TransportRequest) throws(TransportError) -> [ContentCoding] {
        body.isEmpty ? [] : try codings(for: request)
    }

    /// The codings to undo, in the order they were applied.
    func codings(for request: TransportRequest) throws(TransportError) -> [ContentCoding] {
        do throws(TransportError) {
            return try ContentCoding.list(in: headers)
        } catch {
            // Who asks for codings of their own gets them as they come.
            let isAskedFor = request.headers.contains { $0.name.lowercased() == "accept-encoding" }
            guard isAskedFor else { throw error }
            return []
        }
    }

    /// The same with its content codings undone.
    ///
    /// Off the caller's actor: a body of 64 MiB keeps a processor for a third of a second.
    @concurrent
    func decoded(_ codings: [ContentCoding], limit: Int) async throws(TransportError) -> TransportResponse {
        var response = self
        response.body = try ContentDecoder.decode(body, coded: codings, limit: limit)
        return response
    }
}
