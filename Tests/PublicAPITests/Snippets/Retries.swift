import Foundation
import MastheadNetworking
import MastheadPublishing

private func patient() -> NetworkingConfiguration {
    // snippet
    let configuration = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.retry = .standard
        $0.totalTimeout = .seconds(30)
        $0.circuitBreaker = CircuitBreaker(failures: 5, pause: .seconds(30))
    }
    // end
    return configuration
}

nonisolated struct Confirmation: Decodable {
    let number: String
}

// snippet
nonisolated final class GiftRepository: AbstractRepository, @unchecked Sendable {
    func give(_ issue: Issue.ID, key: UUID) async -> Result<Confirmation, RepositoryError> {
        let headers: HTTPHeaders = ["Idempotency-Key": key.uuidString]
        return await perform(.post("gifts", headers: headers, body: .json(parameters: ["issue": "\(issue)"])))
    }
}
// end

private func give(_ issue: Issue.ID, key: UUID, _ gifts: GiftRepository) async {
    func show(_ confirmation: Confirmation) {}
    func askWhetherItWasGiven(_ key: UUID) {}
    func showUnavailable(askAgainIn wait: Duration) {}
    func report(_ error: RepositoryError) {}
    // snippet
    switch await gifts.give(issue, key: key) {
    case .success(let confirmation): show(confirmation)
    case .failure(.connectionLost(mayHaveBeenProcessed: true)): askWhetherItWasGiven(key)
    case .failure(.circuitOpen(_, let wait)): showUnavailable(askAgainIn: wait)
    case .failure(let error): report(error)
    }
    // end
}
