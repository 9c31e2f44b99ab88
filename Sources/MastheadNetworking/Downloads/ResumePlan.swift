package import FoundationEssentials

/// How to go on with a download, if it can be: what to ask, and what to make of the answer.
///
/// ```swift
/// let plan = ResumePlan(url: url, state: saved, partLength: file.length)
/// request.headers = plan.headers
/// switch try plan.decision(status: head.status, headers: head.headers, now: now) {
/// case .write(let range, _): file.seek(to: range.lowerBound)
/// …
/// }
/// ```
///
/// For GET alone (RFC 9110, section 14.2). Whatever a server answers, bytes of two states never meet in a file, and no
/// hole is left in one; a server that breaks its word costs a download from the beginning. A plan from there never says
/// ``ResumeDecision/restart``, so that it cannot go on for ever.
package struct ResumePlan: Sendable, Hashable {
    /// Where the bytes asked for start; 0 if all of them are.
    package let offset: Int

    private let url: String
    private let owner: String?
    private let state: ResumeState?

    /// Makes a plan; one from the beginning if there is nothing to go on with.
    ///
    /// - Parameters:
    ///   - url: What is asked for; a state of another URL is not used.
    ///   - owner: In which login; a state of another one is not used, nor of none.
    ///   - state: What was kept of the answer that the part file began with.
    ///   - partLength: How many bytes the part file has.
    package init(url: String, owner: String? = nil, state: ResumeState?, partLength: Int) {
        self.url = url
        self.owner = owner
        if let state, state.url == url, state.owner == owner, partLength > 0, partLength <= state.size ?? .max {
            self.state = state
            offset = partLength
        } else {
            self.state = nil
            offset = 0
        }
    }

    /// The header fields to ask with; they replace those of the same name.
    ///
    /// A part of a compressed body is of no use, so none is asked for, not even the first time.
    package var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["Accept-Encoding": "identity"]
        if let state {
            headers["Range"] = "bytes=\(offset)-"
            headers["If-Range"] = state.validator
        }
        return headers
    }

    /// What an answer means for the part file, by its head.
    ///
    /// - Parameters:
    ///   - status: The answer's status; redirects have been followed.
    ///   - headers: The answer's header fields.
    ///   - now: Decides the century of a date with a year of two digits.
    /// - Returns: What to do before the body comes, and with it.
    /// - Throws: ``RepositoryError/invalidResponse(reason:)`` for a part that was not asked for.
    package func decision(
        status: Int,
        headers: HTTPHeaders,
        now: Date
    ) throws(RepositoryError) -> ResumeDecision {
        switch status {
        case 200, 203: return .begin(ResumeState(url: url, owner: owner, status: status, headers: headers, now: now))
        case 206:
            guard let state else { throw .invalidResponse(reason: "a part of the body that was not asked for") }
            return part(headers, of: state) ?? .restart
        case 416:
            guard let state else { return .keep }
            let size = headers.single("Content-Range").flatMap(ContentRange.init)?.size
            // Of a size that was not known, only the validator shows that it is this.
            let isSame = isSame(headers, as: state) ?? (state.size != nil)
            return size == offset && size == state.size ?? size && isSame ? .whole : .restart
        default: return .keep
        }
    }

    /// The place of a part in the file; `nil` if it does not belong there.
    private func part(_ headers: HTTPHeaders, of state: ResumeState) -> ResumeDecision? {
        let type = headers["Content-Type"]?.lowercased() ?? ""
        guard headers.hasIdentityCoding, !type.hasPrefix("multipart/byteranges"),
            let field = headers.single("Content-Range").flatMap(ContentRange.init), let range = field.range,
            range.lowerBound <= offset, range.upperBound > offset,
            headers.contentLength ?? range.count == range.count
        else { return nil }
        let size = field.size ?? state.size
        // Not every server minds `If-Range`, so the part itself must have the validator (RFC 9110, section 15.3.7.3).
        guard size == state.size ?? size, range.upperBound <= size ?? .max, isSame(headers, as: state) == true else {
            return nil
        }
        return .write(range, size: size)
    }

    /// Whether an answer has the state's validator; `nil` if it has none of that kind.
    private func isSame(_ headers: HTTPHeaders, as state: ResumeState) -> Bool? {
        guard let tag = state.entityTag else {
            return headers["Last-Modified"] == nil ? nil : headers.single("Last-Modified") == state.validator
        }
        guard headers["ETag"] != nil else { return nil }
        return headers.single("ETag").flatMap(EntityTag.init)?.matchesStrongly(tag) ?? false
    }
}
