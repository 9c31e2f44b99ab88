import Foundation
import MastheadNetworking

private func routes() -> [NetworkingConfiguration] {
    // snippet
    let office = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.route = .proxy(ProxyServer(.http, host: "proxy.example.com", port: 3128, exceptions: ["10.0.0.0/8"]))
    }
    let staging = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.route = NetworkRoute { $0.addresses = ["api.example.com": "127.0.0.1:8443"] }
    }
    let local = NetworkingConfiguration(domainURL: "localhost") {
        $0.useSecureConnection = false
        $0.route = .unixSocket("/run/publisher.sock")
    }
    // end
    return [office, staging, local]
}

private func askedFor() throws -> NetworkingConfiguration {
    // snippet
    var configuration = NetworkingConfiguration(domainURL: "api.example.com")
    configuration.route = try .environment(ProcessInfo.processInfo.environment)
    // end
    return configuration
}
