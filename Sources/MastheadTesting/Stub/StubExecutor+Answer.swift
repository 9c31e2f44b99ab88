public import FoundationEssentials
public import MastheadNetworking

extension StubExecutor {
    /// What a ``StubExecutor`` gives for a request: an answer, or an error instead of one.
    ///
    /// ```swift
    /// .json(#"{"id": "vol-7"}"#)
    /// .status(410)
    /// .failure(.noNetworkConnection)
    /// ```
    public struct Answer: Sendable {
        enum Content: Sendable {
            case response(status: Int, headers: HTTPHeaders, body: Data)
            case failure(RepositoryError)
        }

        let content: Content

        /// Makes an answer.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - headers: The header fields.
        ///   - body: The body.
        public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
            content = .response(status: status, headers: headers, body: body)
        }

        private init(_ content: Content) {
            self.content = content
        }

        /// An answer with a JSON body.
        public static func json(_ body: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            var headers = headers
            headers.merge(defaults: ["Content-Type": "application/json"])
            return Answer(status: status, headers: headers, body: Data(body.utf8))
        }

        /// An answer with a text in UTF-8.
        public static func text(_ body: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            var headers = headers
            headers.merge(defaults: ["Content-Type": "text/plain; charset=utf-8"])
            return Answer(status: status, headers: headers, body: Data(body.utf8))
        }

        /// An answer without a body.
        public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Answer {
            Answer(status: status, headers: headers)
        }

        /// A redirect.
        public static func redirect(to target: String, status: Int = 302) -> Answer {
            Answer(status: status, headers: ["Location": target])
        }

        /// No answer: the exchange fails with this error.
        public static func failure(_ error: RepositoryError) -> Answer {
            Answer(.failure(error))
        }
    }
}
