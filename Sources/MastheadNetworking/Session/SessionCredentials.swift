public import FoundationEssentials

/// What a server gave a user to identify themselves with: one token, or an access token with what renews it.
///
/// ```swift
/// let credentials = SessionCredentials(accessToken: Secret(answer.token))
/// let renewable = SessionCredentials(
///     accessToken: Secret(answer.accessToken),
///     refreshToken: Secret(answer.refreshToken),
///     expiry: Date(timeIntervalSinceNow: answer.expiresIn)
/// )
/// ```
///
/// A description or a dump shows neither token. What is encoded does: it is `Codable` for a ``TokenStore``, which keeps
/// the bytes where nobody else reads them. The form is an object of `accessToken` and `refreshToken`, texts, of `expiry`, in
/// seconds since 1970, and of `partition`, the secret of what is kept for the user, whatever strategies the encoder has.
///
/// Credentials are equal if their tokens and their expiry are.
public struct SessionCredentials: Sendable, Hashable, Codable {
    /// The token that goes with each request.
    public var accessToken: Secret

    /// The token that gets another access token (RFC 6749, section 1.5); `nil` if there is none.
    public var refreshToken: Secret?

    /// When the access token ends; `nil` if that is not known.
    public var expiry: Date?

    /// What the user's data is kept under, beyond a run of the app.
    ///
    /// A ``SessionManager`` makes one for each login, and gives it to the credentials that replace them. It is not compared.
    var partition: SessionPartition?

    /// Puts credentials together.
    ///
    /// - Parameters:
    ///   - accessToken: The token that goes with each request.
    ///   - refreshToken: The token that gets another one.
    ///   - expiry: When the access token ends.
    public init(accessToken: Secret, refreshToken: Secret? = nil, expiry: Date? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiry = expiry
    }

    /// Whether the tokens and the expiry are the same.
    public static func == (left: SessionCredentials, right: SessionCredentials) -> Bool {
        left.accessToken == right.accessToken && left.refreshToken == right.refreshToken && left.expiry == right.expiry
    }

    /// Hashes the tokens and the expiry.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(accessToken)
        hasher.combine(refreshToken)
        hasher.combine(expiry)
    }

    private enum CodingKeys: CodingKey {
        case accessToken, refreshToken, expiry, partition
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = Secret(try container.decode(String.self, forKey: .accessToken))
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken).map { Secret($0) }
        expiry = try container.decodeIfPresent(Double.self, forKey: .expiry).map { Date(timeIntervalSince1970: $0) }
        partition = try container.decodeIfPresent(String.self, forKey: .partition)
            .map { SessionPartition(secret: Secret($0)) }
    }

    /// Writes the tokens in the clear: for what encrypts them, and for nothing else.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accessToken.value, forKey: .accessToken)
        try container.encodeIfPresent(refreshToken?.value, forKey: .refreshToken)
        try container.encodeIfPresent(expiry?.timeIntervalSince1970, forKey: .expiry)
        try container.encodeIfPresent(partition?.secret.value, forKey: .partition)
    }
}
