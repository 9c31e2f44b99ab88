import MastheadNetworking

private func decidingRedirects() -> NetworkingConfiguration {
    // snippet
    let configuration = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.onRedirect = { redirect in
            // A captive portal or a login page is no answer for an app.
            if redirect.crossesOrigin, redirect.request.method == .get { return .stop }
            var request = redirect.request
            request.headers["X-Redirected"] = "\(redirect.status)"
            return .send(request)
        }
    }
    // end
    return configuration
}
