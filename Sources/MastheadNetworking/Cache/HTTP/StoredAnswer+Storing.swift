extension StoredAnswer {
    /// The statuses whose answers may be kept without the server's saying so (RFC 9110, section 15.1).
    ///
    /// 206 is another, but parts are not kept.
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The statuses whose answers may be kept, the rest of them only if the server says so.
    ///
    /// A server's trouble (500, 503) is not among them, whatever it says: it would take the place of what it once had.
    static let knownStatuses = heuristicStatuses.union([302, 303, 307])

    /// Takes what is kept of an answer (RFC 9111, section 3).
    ///
    /// The answer to a request with `Authorization` is kept: this cache is the user's own.
    ///
    /// - Throws: Why it is not kept.
    package init(storing answer: ReceivedAnswer, to request: CacheRequest) throws(StoringRefusal) {
        guard request.isCacheable, let key = request.key else { throw .request }
        guard !request.control.noStore else { throw .noStore }
        guard answer.status != 206 else { throw .partialContent }
        guard Self.knownStatuses.contains(answer.status) else { throw .status }
        // As said by all of the fields, before any is left out.
        let control = CacheControl(response: answer.headers)
        guard !control.forbidsStoring else { throw .noStore }
        guard let variant = VariantKey(answer: answer.headers, request: request.headers) else { throw .varies }
        self.init(
            key: key,
            variant: variant,
            status: answer.status,
            headers: answer.headers.storable,
            requestTime: answer.requestTime,
            responseTime: answer.responseTime
        )
        if !freshness.isExplicit {
            guard status < 400 else { throw .errorWithoutLifetime }
            let isAllowed = Self.heuristicStatuses.contains(status) || control.isPublic || control.isPrivate
            guard isAllowed else { throw .notAllowed }
        }
    }
}

extension CacheControl {
    /// Whether an answer of a known status may not be kept.
    ///
    /// With `must-understand`, `no-store` is for those who do not know the status (RFC 9111, section 5.2.2.3).
    var forbidsStoring: Bool { noStore && !mustUnderstand }
}

extension HTTPHeaders {
    /// The fields that are kept of an answer (RFC 9111, section 3.1).
    ///
    /// Those about the connection are not. Neither is `Set-Cookie`, which the RFC would keep: it is a secret, it was meant for
    /// that moment, and nobody here keeps cookies.
    var storable: HTTPHeaders { without(Self.neverStored.union(connectionOptions)) }

    /// The fields that `Connection` names, but none that is never about the connection (RFC 9110, section 7.6.1).
    private var connectionOptions: Set<String> {
        let names = values(of: "Connection").flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)).trimmingBlanks.lowercased() }
        }
        return Set(names).subtracting(Self.neverOptions)
    }

    private static let neverStored: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "set-cookie", "set-cookie2", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static let neverOptions: Set<String> = [
        "age", "cache-control", "content-encoding", "content-type", "date", "etag", "expires", "last-modified", "vary",
    ]
}
