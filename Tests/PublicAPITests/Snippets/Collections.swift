import MastheadNetworking

nonisolated struct Comment: Decodable, Identifiable, Sendable {
    let id: Int
    let text: String
}

nonisolated enum CommentError: String, CustomRepositoryError {
    case unknownArticle
}

// snippet
nonisolated final class CommentRepository: AbstractRepository, @unchecked Sendable {
    func comments(on article: String) -> PagedSequence<Comment> {
        paged(.get("articles/\(article)/comments", query: ["per_page": 50]), by: .link)
            .mapCustomError([404: CommentError.unknownArticle])
    }
}
// end

private func read(_ comments: CommentRepository) async throws {
    func show(_ comment: Comment) {}
    func store(_ page: [Comment]) {}
    // snippet
    for try await comment in comments.comments(on: "orbit") { show(comment) }

    for try await page in comments.comments(on: "orbit").prefetching(1).pages { store(page) }
    // end
}

nonisolated private final class FeedRepository: AbstractRepository, @unchecked Sendable {
    // snippet
    struct Feed: Decodable, Sendable {
        let comments: [Comment]
        let next: String?
    }

    func feed() -> PagedSequence<Comment> {
        paged(.get("feed"), by: .cursor("after", \.next), elements: \Feed.comments)
    }
    // end

    func archive() -> PagedSequence<Comment> {
        // snippet
        paged(
            .get("archive"),
            by: .custom { page in
                let last = page.headers["X-Total-Pages"].flatMap { Int($0) } ?? 1
                return page.number < last ? .query(["page": .int(Int64(page.number + 1))]) : .last
            }
        )
        // end
    }
}

nonisolated private final class NoteRepository: AbstractRepository, @unchecked Sendable {
    func note(_ id: Comment.ID) async -> Result<Comment, RepositoryError> { await perform(.get("notes/\(id)")) }
}

private func many(_ notes: NoteRepository, mirrors: [NoteRepository], ids: [Int], _ comments: CommentRepository) async {
    func show(_ comments: [Comment]) {}
    func showFailure(_ count: Int) {}
    // snippet
    let all = await Calls.all(ids, atOnce: 4) { await notes.note($0) }  // Result<[Comment], RepositoryError>
    let each = await Calls.settled(ids, atOnce: 4) { await notes.note($0) }  // [Result<Comment, RepositoryError>]
    let fastest = await Calls.first(mirrors) { await $0.note(7) }  // Result<Comment, FailedCalls>
    // end
    _ = (all, each, fastest)
}

private func several(_ comments: CommentRepository, articles: [String]) async throws {
    func show(_ comment: Comment) {}
    // snippet
    let everything = concat(articles, prefetching: 1) { comments.comments(on: $0) }
    for try await comment in everything { show(comment) }
    // end
}
