/// Tells what a repository does, in lines without secrets; off unless a configuration has one.
///
/// ```swift
/// $0.logger = RequestLogger(level: .requests) { line in logFile.append(line) }
/// ```
///
/// What is never written, at any level: the values of the fields in ``NetworkingConfiguration/secretHeaders`` and of
/// parameters named in ``secretParameters``, the client key, e-mail addresses in a URL, and what a body says: of JSON the
/// member names, kinds and lengths stay, of anything else the size. A line holds no line break.
public struct RequestLogger: Sendable {
    /// How much is told; each level tells what those before it do.
    public enum Level: Int, Sendable, Hashable, Comparable {
        /// Each call that failed, with a cURL line of its request.
        case errors

        /// Each request, redirects and polls among them, and each answer.
        case requests

        /// The cURL line of each request, and what the bodies are made of.
        case bodies

        /// Whether the left one tells less.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The words that make a parameter's or a header's name a secret, if ``init(level:secretParameters:sink:)`` gets none.
    public static let defaultSecretParameters: Set<String> = [
        "apikey", "auth", "authorization", "clientkey", "code", "credential", "credentials", "email", "jwt", "key",
        "mail", "nonce", "passphrase", "passwd", "password", "phone", "pin", "pwd", "receipt", "secret", "session",
        "sessionid", "sid", "sig", "signature", "token", "username",
    ]

    /// How much is told.
    public let level: Level

    /// The words that make a parameter's or a header's name a secret, whatever its case, alone or among others:
    /// `token` stands for `access_token` and `pushToken` too.
    public let secretParameters: Set<String>

    /// Takes each line.
    let sink: @Sendable (String) -> Void

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - level: How much is told.
    ///   - secretParameters: The words that make a name a secret.
    ///   - sink: Takes each line, on the thread the call is on: it must not block, and must not make a call itself.
    public init(
        level: Level = .requests,
        secretParameters: Set<String> = RequestLogger.defaultSecretParameters,
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        self.secretParameters = secretParameters
        self.sink = sink
    }
}
