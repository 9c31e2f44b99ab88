public import FoundationEssentials

extension NetworkingConfiguration {
    /// Reads a configuration from a JSON file, and from environment variables over it.
    ///
    /// ```swift
    /// // {"timeout": 20, "environments": {"production": {"domainURL": "api.example.com", "subdomainURL": "/v2"},
    /// //                                  "staging": {"domainURL": "127.0.0.1", "port": 8080, "useSecureConnection": false}}}
    /// let configuration = try NetworkingConfiguration(contentsOf: "masthead.json", named: "production")
    /// ```
    ///
    /// What is said last counts, in this order: the property's default, `defaults`, the file's settings for all
    /// environments, those of the chosen environment, the environment variables. A setting has its property's name as
    /// key, durations are seconds, and a relative `certificateAuthorityFile` is taken from the file's folder;
    /// `defaultHeaders` and `secretHeaders` add to those that are there. A variable has the same name in capitals
    /// behind the prefix, `MASTHEAD_DOMAIN_URL`; an empty one is not there. See <doc:Configuration>.
    ///
    /// - Parameters:
    ///   - path: The file's path; at most 1 MiB.
    ///   - name: Which of the file's `environments` to take; `nil` takes the one that `MASTHEAD_ENVIRONMENT` names, or
    ///     else the file's `environment`.
    ///   - environment: The environment variables; by default the process's own.
    ///   - prefix: What the variables' names start with.
    ///   - defaults: Sets what neither file nor variables need to say, and what they cannot: closures, the clock.
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)``, naming file, key and what was expected, never the
    ///   value; for an unknown key with the nearest known one; and for whatever ``validate()`` refuses.
    public init(
        contentsOf path: String,
        named name: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        prefix: String = "MASTHEAD_",
        _ defaults: (inout NetworkingConfiguration) -> Void = { _ in }
    ) throws(RepositoryError) {
        self.init(domainURL: "", defaults)
        let variables = ConfigurationVariables(environment, prefix: prefix)
        let file = try ConfigurationFile(path: path)
        try file.apply(environment: name ?? variables.environmentName, to: &self)
        try variables.apply(to: &self)
        try validate(from: "\(path) and the environment", prefix: prefix)
    }

    /// Reads a configuration from environment variables, and from the file that one of them names.
    ///
    /// ```swift
    /// // MASTHEAD_DOMAIN_URL=127.0.0.1 MASTHEAD_PORT=8080 MASTHEAD_USE_SECURE_CONNECTION=false
    /// let configuration = try NetworkingConfiguration(environment: ProcessInfo.processInfo.environment)
    /// ```
    ///
    /// If `MASTHEAD_CONFIGURATION` is there, it is the path of a file as in
    /// ``init(contentsOf:named:environment:prefix:_:)``, and the same order holds.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - prefix: What the variables' names start with.
    ///   - defaults: Sets what the variables need not or cannot say.
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)``, naming the variable and what was expected, never the
    ///   value.
    public init(
        environment: [String: String],
        prefix: String = "MASTHEAD_",
        _ defaults: (inout NetworkingConfiguration) -> Void = { _ in }
    ) throws(RepositoryError) {
        let variables = ConfigurationVariables(environment, prefix: prefix)
        if let path = variables.filePath {
            try self.init(contentsOf: path, environment: environment, prefix: prefix, defaults)
            return
        }
        self.init(domainURL: "", defaults)
        if variables.environmentName != nil {
            throw .invalidConfiguration(
                reason: "\(prefix)ENVIRONMENT chooses an environment, but there is no file: set \(prefix)CONFIGURATION"
            )
        }
        try variables.apply(to: &self)
        try validate(from: "the environment", prefix: prefix)
    }

    private func validate(from source: String, prefix: String) throws(RepositoryError) {
        guard !domainURL.isEmpty else {
            throw .invalidConfiguration(reason: "\(source): no domainURL: set it there, or as \(prefix)DOMAIN_URL")
        }
        do {
            try validate()
        } catch {
            guard case .invalidConfiguration(let reason) = error else { throw error }
            throw .invalidConfiguration(reason: "\(source): \(reason)")
        }
    }
}
