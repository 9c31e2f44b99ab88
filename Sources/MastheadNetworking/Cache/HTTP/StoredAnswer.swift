package import FoundationEssentials
import MastheadTransport

/// The head of an answer that is kept: what is needed to find it, to know whether it is fresh, and to serve it.
///
/// It always answers a GET. Its body is kept beside it.
package struct StoredAnswer: Sendable, Hashable {
    /// What it is stored under.
    package let key: CacheKey

    /// Which of the key's requests it is for.
    package let variant: VariantKey

    /// The status code.
    package let status: Int

    /// The header fields that are kept; ``servedHeaders(at:isValidated:)`` are those to be shown.
    package let headers: HTTPHeaders

    /// When the request was sent that it was last heard of by.
    package let requestTime: Date

    /// When that was answered.
    package let responseTime: Date

    /// Whether the server has since shown something else, so that it is not fresh any more, whatever it says of itself.
    package let isOutdated: Bool

    /// Its `Cache-Control`.
    package let control: CacheControl

    /// How long it is fresh.
    package let freshness: Freshness

    init(
        key: CacheKey,
        variant: VariantKey,
        status: Int,
        headers: HTTPHeaders,
        requestTime: Date,
        responseTime: Date,
        isOutdated: Bool = false
    ) {
        self.key = key
        self.variant = variant
        self.status = status
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.isOutdated = isOutdated
        control = CacheControl(response: headers)
        freshness = Freshness(
            status: status,
            headers: headers,
            control: control,
            requestTime: requestTime,
            responseTime: responseTime
        )
    }

    /// The same answer, to be validated before it counts as fresh again (RFC 9111, sections 4.3.5 and 4.4).
    package var outdated: StoredAnswer {
        StoredAnswer(
            key: key,
            variant: variant,
            status: status,
            headers: headers,
            requestTime: requestTime,
            responseTime: responseTime,
            isOutdated: true
        )
    }

    /// The same answer without the fields of some names, which are in lower case.
    func without(_ names: Set<String>) -> StoredAnswer {
        StoredAnswer(
            key: key,
            variant: variant,
            status: status,
            headers: headers.without(names),
            requestTime: requestTime,
            responseTime: responseTime,
            isOutdated: isOutdated
        )
    }

    /// Whether it may be served at a date without asking, if the request has no wishes.
    package func isFresh(at now: Date) -> Bool {
        !isOutdated && !control.noCache && freshness.isFresh(at: now)
    }

    /// Whether it may be served when it is stale, to whoever says that they want that (RFC 9111, section 4.2.4).
    ///
    /// The server may forbid it. An error that is over is of no use to anyone, nor is a redirect that was for then.
    package var mayBeServedStale: Bool {
        !control.noCache && !control.mustRevalidate && (200...299 ~= status || status == 301 || status == 308)
    }

    /// The header fields to serve it with.
    ///
    /// Without validation `Age` says how old it is (section 5.1), and what `no-cache="…"` names is left out.
    ///
    /// - Parameters:
    ///   - now: When it is served.
    ///   - isValidated: Whether the server has just said that it holds.
    /// - Returns: The fields, without those that were never kept.
    package func servedHeaders(at now: Date, isValidated: Bool = false) -> HTTPHeaders {
        guard !isValidated else { return headers }
        let maximum = CacheControl.maximumSeconds
        var served = headers.without(control.noCacheFields.union(["age"]))
        let age = freshness.age(at: now)
        served.append("\(age < TimeInterval(maximum) ? Int(age) : maximum)", for: "Age")
        return served
    }
}

extension HTTPHeaders {
    /// The fields but those of some names, which are in lower case.
    func without(_ names: Set<String>) -> HTTPHeaders {
        HTTPHeaders(lines: lines.filter { !names.contains($0.name.lowercased()) })
    }
}
