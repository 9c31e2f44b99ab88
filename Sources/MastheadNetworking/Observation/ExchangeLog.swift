/// Writes a repository's lines for its logger.
struct ExchangeLog: Sendable {
    private let logger: RequestLogger
    private let redaction: Redaction

    /// Makes a log, unless the configuration has no logger.
    init?(_ configuration: NetworkingConfiguration) {
        guard let logger = configuration.logger else { return nil }
        self.logger = logger
        redaction = Redaction(configuration)
    }

    /// Tells of something that is allowed, and that nobody should overlook.
    func warned(of what: String) {
        write("! \(what)")
    }

    /// Tells that a request is sent.
    func sent(_ request: HTTPRequest) {
        switch logger.level {
        case .errors: return
        case .requests: write("> \(title(request))")
        case .bodies: write("> \(CURLCommand(request, redaction).text)")
        }
    }

    /// Tells what an exchange came to, and how long it took.
    func ended(_ request: HTTPRequest, with outcome: Result<HTTPResponse, RepositoryError>, after elapsed: Duration) {
        switch outcome {
        case .success(let response): received(response, for: request, after: elapsed)
        case .failure(let error): broke(request, with: error, after: elapsed)
        }
    }

    private func received(_ response: HTTPResponse, for request: HTTPRequest, after elapsed: Duration) {
        guard logger.level >= .requests else { return }
        write("< \(response.status) \(title(request)), \(response.body.count) bytes, \(elapsed.wholeMilliseconds) ms")
        guard logger.level >= .bodies else { return }
        for field in response.headers.fields { write("<   \(field.name): \(redaction.value(of: field))") }
        if !response.body.isEmpty { write("<   \(redaction.body(response.body, headers: response.headers))") }
    }

    private func broke(_ request: HTTPRequest, with error: RepositoryError, after elapsed: Duration) {
        guard logger.level >= .requests else { return }
        write("< \(title(request)), no answer, \(elapsed.wholeMilliseconds) ms: \(error)")
    }

    /// Tells that a request is sent again, and when.
    func retrying(_ request: HTTPRequest, after wait: Duration) {
        guard logger.level >= .requests else { return }
        write("~ \(title(request)) again in \(wait.wholeMilliseconds) ms")
    }

    /// Tells that a call waits for a new token, or only asks for one because its own ends soon.
    func renewing(_ request: HTTPRequest, isRefused: Bool) {
        guard logger.level >= .requests else { return }
        write("~ \(title(request)) \(isRefused ? "waits" : "asks") for a new token")
    }

    /// Tells that a call has waited for a new token, and with what error if there is none.
    func renewed(_ request: HTTPRequest, with error: RepositoryError?) {
        guard logger.level >= .requests else { return }
        write("~ \(title(request)) \(error.map { "has no new token: \($0)" } ?? "has a token to use")")
    }

    /// Tells that a call failed.
    func failed(_ request: HTTPRequest?, with error: RepositoryError) {
        let command = request.map { ": \(CURLCommand($0, redaction).text)" } ?? ""
        write("! \(error)\(command)")
    }

    private func title(_ request: HTTPRequest) -> String {
        "\(request.method) \(redaction.url(request.url))"
    }

    /// Hands over one line: what a server sent must neither start another nor steer a terminal.
    private func write(_ line: String) {
        logger.sink(line.escapingControlCharacters())
    }
}

extension Duration {
    /// In milliseconds, without the rest.
    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension String {
    /// The same text, each control character as its number.
    fileprivate func escapingControlCharacters() -> String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or a line separator by another name.
    fileprivate var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
    }
}
