import FoundationEssentials

extension TransportResponse {
    /// The same with its content codings undone.
    func decoded(for request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !body.isEmpty else { return self }
        let codings = try codings(for: request)
        return codings.isEmpty ? self : try await decoded(codings, limit: request.limits.maximumBodySize)
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

    /// Off the caller's actor: a body of 64 MiB keeps a processor for a third of a second.
    @concurrent
    private func decoded(_ codings: [ContentCoding], limit: Int) async throws(TransportError) -> TransportResponse {
        var response = self
        response.body = try ContentDecoder.decode(body, coded: codings, limit: limit)
        return response
    }
}
