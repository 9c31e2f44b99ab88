extension PagedSequence {
    /// Gives the app's own errors for statuses of a page: see `Result.mapCustomError(_:)`.
    ///
    /// ```swift
    /// paged(.get("articles/\(article)/comments"), by: .link).mapCustomError([404: CommentError.unknownArticle])
    /// ```
    public func mapCustomError(_ errors: [Int: any CustomRepositoryError]) -> PagedSequence {
        mapResult { $0.mapCustomError(errors) }
    }

    /// Gives the app's own errors for a code in the body of a refusal: see `Result.mapCustomError(at:status:_:)`.
    ///
    /// - Parameters:
    ///   - pointer: Where the code stands in the body (RFC 6901).
    ///   - status: The only status to look at; `nil` looks at every refusal.
    ///   - errors: The error for each code.
    /// - Returns: The list, with the refusals of its pages replaced.
    public func mapCustomError(
        at pointer: JSONPointer,
        status: Int? = nil,
        _ errors: [JSONValue: any CustomRepositoryError]
    ) -> PagedSequence {
        mapResult { $0.mapCustomError(at: pointer, status: status, errors) }
    }

    private func mapResult(
        _ change: @escaping @Sendable (Result<[Element]?, RepositoryError>) -> Result<[Element]?, RepositoryError>
    ) -> PagedSequence {
        PagedSequence { [pages] pin in
            let walk = pages.begin(pin)
            return PageWalk(in: pin) { () async throws(RepositoryError) in
                do throws(RepositoryError) {
                    return try await walk.next()
                } catch {
                    return try change(.failure(error)).get()
                }
            }
        }
    }
}

extension PagedSequence where Element: Identifiable, Element.ID: Sendable {
    /// The same list without the elements whose ids stood on the page before: lists move while they are read.
    ///
    /// It remembers the ids of one page. A page may become empty by it.
    public func unique() -> PagedSequence {
        PagedSequence { [pages] pin in
            let walk = pages.begin(pin)
            var previous: Set<Element.ID> = []
            return PageWalk(in: pin) { () async throws(RepositoryError) in
                guard let page = try await walk.next() else { return nil }
                var known = previous
                previous = Set(page.map(\.id))
                return page.filter { known.insert($0.id).inserted }
            }
        }
    }
}
