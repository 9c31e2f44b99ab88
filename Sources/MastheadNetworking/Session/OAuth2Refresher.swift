import FoundationEssentials

/// Renews credentials by OAuth 2's refresh grant (RFC 6749, section 6).
///
/// ```swift
/// let refresher = OAuth2Refresher(configuration: .production, path: "oauth/token", clientID: "masthead-app")
/// ```
///
/// It posts the form `grant_type=refresh_token` to the token endpoint, with the refresh token and, if there is one, the
/// scope. A client with a secret says both in an `Authorization: Basic` field (section 2.3.1), one without names itself in
/// the form. A refresh token that comes back replaces the old one; else the old one stays.
///
/// `invalid_grant`, and a 400 or 401 without any of the RFC's codes, is ``TokenRefreshError/refused``, as are credentials
/// without a refresh token. Everything else is ``TokenRefreshError/failed(_:)``: no answer, a status of 500, also
/// `invalid_client` and its like, which the user can do nothing about; see ``FailedRenewal`` for what follows. No redirect is followed, since the refresh token is
/// in the body.
public struct OAuth2Refresher: TokenRefresher {
    private let repository: TokenRepository
    private let path: RequestPath
    private let clientID: String
    private let clientSecret: Secret?
    private let scope: [String]

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - configuration: Where the token endpoint is; its interceptor, logger and time-outs hold, its retries do not.
    ///   - path: The endpoint's path.
    ///   - clientID: The app's name at the server.
    ///   - clientSecret: The app's secret; `nil` for an app that cannot keep one.
    ///   - scope: The scope to ask for; none asks for the same as before.
    ///   - executor: What makes the exchanges.
    public init(
        configuration: NetworkingConfiguration,
        path: RequestPath,
        clientID: String,
        clientSecret: Secret? = nil,
        scope: [String] = [],
        executor: any RequestExecutor = LibcurlExecutor()
    ) {
        var configuration = configuration
        configuration.maximumRedirects = 0
        // A server that rotates refresh tokens takes each once.
        configuration.retry = .never
        // The names are the RFC's, however the app's own server writes its.
        configuration.decoding = DecodingOptions()
        configuration.decoder = .masthead
        repository = TokenRepository(configuration: configuration, executor: executor)
        self.path = path
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scope = scope
    }

    /// Asks the token endpoint.
    public func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
        guard let refreshToken = credentials.refreshToken, !refreshToken.value.isEmpty else { throw .refused }
        // The server's count begins somewhere between now and its answer: the earlier is the safe one.
        let date = repository.configuration.time.date
        switch await repository.token(request(with: refreshToken)) {
        case .success(let answer):
            return SessionCredentials(
                accessToken: Secret(answer.accessToken),
                refreshToken: answer.refreshToken.map { Secret($0) } ?? refreshToken,
                expiry: answer.lifetime.map { date + $0 }
            )
        case .failure(.requestError(let refusal)) where Self.isFinal(refusal): throw .refused
        case .failure(let error): throw .failed(error)
        }
    }

    private func request(with refreshToken: Secret) -> Request<TokenAnswer> {
        var form: Parameters = ["grant_type": "refresh_token", "refresh_token": .string(refreshToken.value)]
        if !scope.isEmpty {
            form.append(contentsOf: ["scope": .string(scope.joined(separator: " "))])
        }
        var headers: HTTPHeaders = [:]
        if let clientSecret {
            let pair = [clientID, clientSecret.value].map(Self.formEncoded).joined(separator: ":")
            headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        } else {
            form.append(contentsOf: ["client_id": .string(clientID)])
        }
        return .post(path, headers: headers, body: .form(form))
    }

    /// Whether the user must log in again (RFC 6749, section 5.2).
    private static func isFinal(_ refusal: ResponseError) -> Bool {
        guard refusal.status == 400 || refusal.status == 401 else { return false }
        switch refusal.value(at: "/error")?.stringValue {
        case "invalid_grant": return true
        case "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
            return false
        default: return true
        }
    }

    /// A name or a secret as section 2.3.1 wants it before it is joined.
    private static func formEncoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(byte, allowing: .form)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension OAuth2Refresher: CustomStringConvertible, CustomReflectable {
    /// The server, and nothing that identifies the app.
    public var description: String { "OAuth 2 at \(repository.configuration)" }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}

/// Asks a token endpoint.
private final class TokenRepository: AbstractRepository, @unchecked Sendable {
    func token(_ request: Request<TokenAnswer>) async -> Result<TokenAnswer, RepositoryError> {
        await perform(request)
    }
}

/// What a token endpoint answers (RFC 6749, section 5.1).
private struct TokenAnswer: Decodable, Sendable {
    let accessToken: String
    let refreshToken: String?
    let lifetime: Double?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case lifetime = "expires_in"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        // Some servers write the number as a text, and one that is no number tells nothing.
        let number = try? container.decodeIfPresent(Double.self, forKey: .lifetime)
        let text = try? container.decodeIfPresent(String.self, forKey: .lifetime)
        lifetime = (number ?? text.flatMap(Double.init)).flatMap { 0...1e9 ~= $0 ? $0 : nil }
    }
}
