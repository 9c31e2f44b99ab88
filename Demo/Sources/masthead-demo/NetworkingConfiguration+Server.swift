import FoundationEssentials
import MastheadNetworking

extension NetworkingConfiguration {
    /// The configuration of a server that somebody named by its URL.
    init(server text: String) throws(Tour.Stop) {
        guard let url = URL(string: text), let host = url.host, ["http", "https"].contains(url.scheme) else {
            throw Tour.Stop(message: "\(text) is no http or https URL")
        }
        self.init(domainURL: host, port: url.port, subdomainURL: url.path) {
            $0.useSecureConnection = url.scheme == "https"
        }
    }
}

extension Options {
    /// The configuration of the server that `--server` names.
    func serverConfiguration() throws(Tour.Stop) -> NetworkingConfiguration {
        var configuration = try NetworkingConfiguration(server: server?.url ?? "")
        configuration.clientKey = (server?.clientKey).map { Secret($0) }
        return configuration
    }
}
