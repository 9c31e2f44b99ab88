extension NetworkRoute {
    /// The way through the proxy that the usual environment variables name.
    ///
    /// ```swift
    /// $0.route = try .environment(ProcessInfo.processInfo.environment)
    /// ```
    ///
    /// Nothing reads these variables unless an app asks for it here. For `https` they are `https_proxy` and `all_proxy`, for
    /// `http` `http_proxy` and `all_proxy`; the exceptions are in `no_proxy`. Each may be written in capitals, but for
    /// `http_proxy`: `HTTP_PROXY` is also what a CGI server makes of a request's field. An exception that is none is
    /// left out.
    ///
    /// - Parameters:
    ///   - variables: The environment variables.
    ///   - isSecure: Whether the way is for `https`.
    /// - Returns: The route; the direct one if no variable names a proxy.
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if the proxy's URL is none; it is not in the reason.
    public static func environment(
        _ variables: [String: String],
        isSecure: Bool = true
    ) throws(RepositoryError) -> NetworkRoute {
        let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let values = (names + ["all_proxy", "ALL_PROXY"]).compactMap { variables[$0] }
        guard let value = values.first(where: { !$0.isEmpty }) else { return .direct }
        var proxy = try ProxyServer(value.contains("://") ? value : "http://\(value)")
        proxy.exceptions = (variables["no_proxy"] ?? variables["NO_PROXY"] ?? "").split(separator: ",")
            .map { String(String($0).trimmingBlanks) }
            .filter { ProxyException($0) != nil }
        return .proxy(proxy)
    }
}
