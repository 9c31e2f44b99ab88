import MastheadTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension NetworkingConfiguration {
    /// Checks that the configuration is possible: host, port, path, route, limits, time-outs, header fields, files, pins.
    ///
    /// Every repository does this when it is made, and each of its calls fails if it failed; an app may do it at its start.
    /// Certificates to pin and those of a client are read from their files.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)``; the reason names the property and what to change,
    ///   and no value that may be secret.
    public func validate() throws(RepositoryError) {
        _ = try validTrust()
    }

    /// Checks the same, and gives whom to trust.
    func validTrust() throws(RepositoryError) -> TrustPolicy {
        _ = try BaseURL(self)
        try validateLimits()
        try validateFields()
        _ = try TransportRoute(route)
        if let certificateAuthorityFile, access(certificateAuthorityFile, R_OK) != 0 {
            throw .invalidConfiguration(reason: "certificateAuthorityFile cannot be read: \(certificateAuthorityFile)")
        }
        return try makeTrust()
    }

    private func validateLimits() throws(RepositoryError) {
        try require(timeout > .zero, "timeout is not positive")
        try require(connectionTimeout > .zero, "connectionTimeout is not positive")
        try require(queueTimeout.map { $0 > .zero } ?? true, "queueTimeout is not positive: `nil` sets no limit")
        try require(totalTimeout.map { $0 > .zero } ?? true, "totalTimeout is not positive: `nil` sets no limit")
        try require(secondsBetweenPolls >= .zero, "secondsBetweenPolls is negative")
        try require(maximumPollingRetries >= 0, "maximumPollingRetries is negative")
        try require(maximumRedirects >= 0, "maximumRedirects is negative: 0 follows none")
        if let problem = retry.problem { throw .invalidConfiguration(reason: "retry: \(problem)") }
        try require(maximumBodySize > 0, "maximumBodySize is not positive")
        try require(maximumConnectionsPerHost > 0, "maximumConnectionsPerHost is not positive")
        try require(maximumStreamsPerHost > 0, "maximumStreamsPerHost is not positive")
    }

    private func validateFields() throws(RepositoryError) {
        if let problem = defaultHeaders.problem {
            throw .invalidConfiguration(reason: "defaultHeaders: \(problem)")
        }
        try require(encodeAsURL.allSatisfy(\.isToken), "encodeAsURL holds a method that is no token")
        try require(HTTPMethod(authorization.field).isToken, "authorization names a field that is no token")
        if let clientKey {
            try require(!clientKey.value.isEmpty, "clientKey is empty: `nil` stands for none")
            try require(
                clientKey.value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F },
                "clientKey holds a character that no header field may carry"
            )
        }
    }

    private func require(_ condition: Bool, _ reason: String) throws(RepositoryError) {
        guard condition else { throw .invalidConfiguration(reason: reason) }
    }
}
