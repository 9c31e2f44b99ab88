public import FoundationEssentials

/// What an attempt of a write failed of, as far as it can be kept.
///
/// ```swift
/// if item.failure?.status == 422 { show(item.failure?.body) }
/// ```
public struct OutboxFailure: Sendable, Hashable, Codable {
    /// The failure of a write whose dependency was discarded; it was not sent.
    public static let discardedDependency = OutboxFailure(
        label: "discardedDependency",
        reason: "what it depended on was discarded"
    )

    /// The error's case, as ``RepositoryError/label`` says it.
    public let label: String

    /// What happened, in one line and without secrets.
    public let reason: String

    /// The status of the refusal; `nil` if it was none.
    public let status: Int?

    /// The body of the refusal, whatever its type, up to 64 KiB of it.
    public let body: Data

    init(label: String, reason: String, status: Int? = nil, body: Data = Data()) {
        self.label = label
        self.reason = reason
        self.status = status
        self.body = body
    }

    init(_ error: RepositoryError) {
        var body = Data()
        if case .requestError(let refusal) = error { body = Data(refusal.body.prefix(64 << 10)) }
        self.init(label: error.label, reason: error.description, status: error.status, body: body)
    }
}
