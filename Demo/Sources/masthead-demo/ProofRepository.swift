import FoundationEssentials
import MastheadNetworking
import MastheadPublishing

/// A repository that an app writes itself: the editors' office, which sees drafts, and answers as they came.
final class ProofRepository: AbstractRepository, @unchecked Sendable {
    override func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {
        guard let key = configuration.clientKey else { throw .invalidConfiguration(reason: "clientKey is not set") }
        request.headers["Authorization"] = "method=clientkey,token=\(key.value)"
        request.headers["X-Preview-App"] = "preview"
    }

    /// The articles that are still in proof.
    func drafts() async -> Result<[Article], RepositoryError> {
        await perform(.get("articles/preview"))
            .mapCustomError(at: "/code", ["preview": ProofError.notForReaders])
            .map(\Drafts.articles)
    }

    /// Whatever the server has in a collection, as JSON.
    func everything(in collection: String) async -> Result<JSONValue, RepositoryError> {
        await performRaw(.get("\(collection)", query: ["limit": 100])).flatMap { $0.decode(JSONValue.self) }
    }

    /// One thing, as JSON.
    func thing(_ id: String, in collection: String) async -> Result<JSONValue, RepositoryError> {
        await performRaw(.get("\(collection)/\(id)")).flatMap { $0.decode(JSONValue.self) }
    }

    /// The bytes of an article's answer.
    func answer(_ id: Article.ID) async -> Result<Data, RepositoryError> {
        await performRaw(.get("articles/\(id)")).map(\HTTPResponse.body)
    }

    /// The volume of a SKU, as JSON, and a refusal as it came.
    func volume(sku: String) async -> Result<JSONValue, RepositoryError> {
        await perform(.get("volumes/sku/\(sku)"))
    }

    private struct Drafts: Decodable, Sendable {
        let articles: [Article]
    }
}

/// What the editors' office says when it refuses.
enum ProofError: String, CustomRepositoryError {
    /// The key is a reader's.
    case notForReaders
}
