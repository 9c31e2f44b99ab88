/// How a server says where the next page of a list is.
///
/// ```swift
/// paged(.get("comments"), by: .number("page", size: 50))
/// paged(.get("feed"), by: .cursor("after", \.next), elements: \Feed.comments)
/// ```
///
/// Whatever the way, a list ends in ``RepositoryError/invalidResponse(reason:)`` where the server leads to a page that was
/// read already, and after 100 pages in a row without anything new: it is not complete, and nobody should take it for so.
/// Only where pages are counted, and their elements have ids, is a page with the ids of the one before it, or of the
/// first, the end: such servers give the last page again, or their only one.
public struct Pagination<Body: Sendable>: Sendable {
    typealias Next = @Sendable (ReadPage<Body>) -> NextPage<Body>

    /// What goes into the first page's query.
    let start: Parameters

    /// Whether the pages are counted here, and not by the server.
    let isCounting: Bool

    let next: Next

    private init(start: Parameters = [:], isCounting: Bool = false, next: @escaping Next) {
        self.start = start
        self.isCounting = isCounting
        self.next = next
    }

    /// By the page's number, until one is empty or short.
    ///
    /// - Parameters:
    ///   - parameter: The name in the query.
    ///   - first: The first page's number.
    ///   - size: How many elements a full page has, so that a shorter one is the last; `nil` if that is not known.
    /// - Returns: The pagination.
    public static func number(_ parameter: String, from first: Int = 1, size: Int? = nil) -> Pagination {
        counting(parameter, from: first, size: size) { first + $0.number }
    }

    /// By the number of elements before the page, until one is empty or short.
    ///
    /// - Parameters:
    ///   - parameter: The name in the query.
    ///   - size: How many elements a full page has, so that a shorter one is the last; `nil` if that is not known.
    /// - Returns: The pagination.
    public static func offset(_ parameter: String, size: Int? = nil) -> Pagination {
        counting(parameter, from: 0, size: size) { $0.total }
    }

    private static func counting(
        _ parameter: String,
        from first: Int,
        size: Int?,
        _ next: @escaping @Sendable (ReadPage<Body>) -> Int
    ) -> Pagination {
        Pagination(start: Parameters([.init(name: parameter, value: .int(Int64(first)))]), isCounting: true) { page in
            guard page.count >= max(size ?? 1, 1) else { return .last }
            return .query(Parameters([.init(name: parameter, value: .int(Int64(next(page))))]))
        }
    }

    /// By a cursor, or token, in the page's body, until there is none or an empty one.
    ///
    /// - Parameters:
    ///   - parameter: The name in the query.
    ///   - cursor: Where it stands in the body.
    /// - Returns: The pagination.
    public static func cursor<Cursor: LosslessStringConvertible & Sendable>(
        _ parameter: String,
        _ cursor: @escaping @Sendable (Body) -> Cursor?
    ) -> Pagination {
        Pagination { page in
            guard let text = cursor(page.body)?.description, !text.isEmpty else { return .last }
            return .query(Parameters([.init(name: parameter, value: .string(text))]))
        }
    }

    /// By a `Link` field with `rel="next"` (RFC 8288), until there is none.
    ///
    /// See ``NextPage/url(_:ignoringOrigin:)`` for which URLs are followed.
    public static var link: Pagination { link(ignoringOrigin: false) }

    /// By a `Link` field with `rel="next"` (RFC 8288), until there is none.
    ///
    /// - Parameter ignoringOrigin: Whether to follow only path and query: see ``NextPage/url(_:ignoringOrigin:)``.
    /// - Returns: The pagination.
    public static func link(ignoringOrigin: Bool) -> Pagination {
        Pagination { page in
            guard let target = WebLink.target(of: "next", in: page.headers) else { return .last }
            return .url(target, ignoringOrigin: ignoringOrigin)
        }
    }

    /// By a URL in the page's body, until there is none or an empty one.
    ///
    /// - Parameters:
    ///   - url: Where it stands in the body.
    ///   - ignoringOrigin: Whether to follow only path and query: see ``NextPage/url(_:ignoringOrigin:)``.
    /// - Returns: The pagination.
    public static func url(
        _ url: @escaping @Sendable (Body) -> String?,
        ignoringOrigin: Bool = false
    ) -> Pagination {
        Pagination { page in
            guard let target = url(page.body), !target.isEmpty else { return .last }
            return .url(target, ignoringOrigin: ignoringOrigin)
        }
    }

    /// By a closure.
    ///
    /// ```swift
    /// .custom { page in page.body.more ? .query(["after": .string(page.body.cursor)]) : .last }
    /// ```
    ///
    /// - Parameter next: Decides, for each page that was read, where the next one is; called from any task.
    /// - Returns: The pagination.
    public static func custom(
        _ next: @escaping @Sendable (ReadPage<Body>) -> NextPage<Body>
    ) -> Pagination {
        Pagination(next: next)
    }
}
