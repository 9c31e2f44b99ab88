import FoundationEssentials

extension TransportResponse {
    /// The same with its content codings undone.
    func decoded(for request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !body.isEmpty, let field = contentCodings else { return self }
        let codings: [ContentCoding]
        do throws(TransportError) {
            codings = try ContentCoding.list(in: field)
        } catch {
            // Who asks for codings of their own gets them as they come.
            let isAskedFor = request.headers.contains { $0.name.lowercased() == "accept-encoding" }
            guard isAskedFor else { throw error }
            return self
        }
        return try await decoded(codings, limit: request.limits.maximumBodySize)
    }

    private var contentCodings: String? {
        let fields = headers.filter { $0.name.utf8.count == 16 && $0.name.lowercased() == "content-encoding" }
        return fields.isEmpty ? nil : fields.map(\.value).joined(separator: ",")
    }

    /// Off the caller's actor: a body of 64 MiB keeps a processor for a third of a second.
    @concurrent
    private func decoded(_ codings: [ContentCoding], limit: Int) async throws(TransportError) -> TransportResponse {
        var response = self
        response.body = try ContentDecoder.decode(body, coded: codings, limit: limit)
        return response
    }
}
