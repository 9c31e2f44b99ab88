import FoundationEssentials
import MastheadNetworking

/// One file somewhere on the web, fetched as a stranger: no key, no cookie, no header of the publisher's API.
final class MediaRepository: AbstractRepository, @unchecked Sendable {
    private let url: URL
    private let isAPIValid: Bool

    init(at url: URL, _ access: CatalogueAccess) {
        self.url = url
        isAPIValid = (try? access.configuration.validate()) != nil
        super.init(configuration: Self.configuration(for: url, like: access.configuration), executor: access.executor)
    }

    /// Puts in the URL as the publisher wrote it: a signed one must arrive letter by letter.
    override func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {
        request.url = url
    }

    func data() async -> Result<Data, RepositoryError> {
        await performRaw(.get("", headers: ["Accept": "*/*"])).flatMap { response in
            response.body.isEmpty ? .failure(.emptyBody(status: response.status)) : .success(response.body)
        }.mapError { error in
            // The app's own configuration is right, as its repository has seen: what cannot be asked is this host.
            guard case .invalidConfiguration = error, isAPIValid else { return error }
            return .invalidURL(reason: "the file's URL has no host that can be asked")
        }
    }

    /// The limits and the trust of the API's configuration, and nothing of what it says about the app.
    ///
    /// Taken over one by one, so that what a configuration learns to send later does not leak by itself.
    private static func configuration(
        for url: URL,
        like api: NetworkingConfiguration
    ) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: url.host ?? "", port: url.port) {
            $0.useSecureConnection = url.scheme?.lowercased() == "https"
            $0.timeout = api.timeout
            $0.connectionTimeout = api.connectionTimeout
            $0.totalTimeout = api.totalTimeout
            $0.maximumRedirects = api.maximumRedirects
            $0.maximumBodySize = api.maximumBodySize
            $0.maximumConnectionsPerHost = api.maximumConnectionsPerHost
            $0.maximumStreamsPerHost = api.maximumStreamsPerHost
            $0.queueTimeout = api.queueTimeout
            $0.route = api.route
            $0.certificateAuthorityFile = api.certificateAuthorityFile
            $0.logger = api.logger
            $0.activity = api.activity
            $0.time = api.time
        }
    }
}
