import FoundationEssentials
import MastheadLock
import MastheadNetworking

/// A book on a shelf: an element with an id.
struct Book: Decodable, Identifiable, Hashable, Sendable {
    let id: Int
}

/// A page with its elements somewhere in it.
struct ShelfPage: Decodable, Sendable {
    let books: [Book]
    var next: String?
}

extension HTTPResponse {
    /// A page that is an array of books.
    static func books(_ ids: some Sequence<Int>, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        .answer(200, headers, body: "[\(ids.map { #"{"id":\#($0)}"# }.joined(separator: ","))]")
    }

    /// A page with the books in it, and where the next one is.
    static func shelf(_ ids: some Sequence<Int>, next: String? = nil) -> HTTPResponse {
        let books = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return .answer(200, body: #"{"books":[\#(books)]\#(next.map { #","next":"\#($0)""# } ?? "")}"#)
    }
}

extension HTTPRequest {
    /// The value of a parameter of the query.
    func parameter(_ name: String) -> String? {
        for pair in url.query(percentEncoded: true)?.split(separator: "&") ?? [] where pair.hasPrefix("\(name)=") {
            return String(pair.dropFirst(name.count + 1))
        }
        return nil
    }

    /// Path and query.
    var target: String { url.path(percentEncoded: true) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "") }
}

extension PagedSequence {
    /// What an iteration gave, and what it ended with.
    func everything() async -> (elements: [Element], failure: RepositoryError?) {
        var elements: [Element] = []
        do throws(RepositoryError) {
            for try await element in self { elements.append(element) }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }
}

extension AbstractRepository {
    /// A repository that a closure answers.
    static func answering(
        _ executor: any RequestExecutor,
        session: (any RepositorySession)? = nil
    ) -> AbstractRepository {
        AbstractRepository(configuration: .test(), session: session, executor: executor)
    }
}

/// Counts what is under way, and the most that ever was.
final class Gauge: Sendable {
    private let state = Lock((now: 0, most: 0, all: 0))

    var now: Int { state.withLock { $0.now } }
    var most: Int { state.withLock { $0.most } }
    var all: Int { state.withLock { $0.all } }

    func enter() {
        state.withLock { state in
            state.now += 1
            state.all += 1
            state.most = max(state.most, state.now)
        }
    }

    func leave() {
        state.withLock { $0.now -= 1 }
    }
}
