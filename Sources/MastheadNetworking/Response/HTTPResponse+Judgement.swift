extension HTTPResponse {
    /// The answer to a request of a repository's, with what the repository knows of both.
    consuming func answering(_ request: HTTPRequest, decodedBy decoding: ResponseDecoding) -> HTTPResponse {
        url = request.url
        self.decoding = decoding
        answersSession = request.carriesSession
        if status == 401, request.carriesSession { refused = request }
        if report == nil { report = request.metricsReport }
        return consume self
    }

    /// Whether the status is one of success.
    var isAccepted: Bool { 200..<300 ~= status || status == 304 }

    /// Throws what the status stands for, unless it is one of success.
    ///
    /// 304 counts as success: it only comes to a conditional request, or from a server that means the same.
    func checkAccepted() throws(RepositoryError) {
        switch status {
        case _ where isAccepted: break
        case 401 where answersSession: throw .unauthenticatedSession(ResponseError(self))
        default: throw .requestError(ResponseError(self))
        }
    }
}

extension ResponseError {
    /// Keeps everything of an answer that is a refusal.
    init(_ response: HTTPResponse) {
        self.init(status: response.status, headers: response.headers, body: response.body)
        decoding = response.decoding
    }
}
