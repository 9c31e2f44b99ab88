import MastheadTransport

/// What the exchange of a task failed with; `nil` for an answer.
func outcome(_ task: Task<TransportResponse, any Error>) async -> TransportError? {
    do {
        _ = try await task.value
        return nil
    } catch {
        return error as? TransportError
    }
}
