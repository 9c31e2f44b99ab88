import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Loading a configuration")
struct ConfigurationLoadingTests {
    private static let file = #"""
        {
            "timeout": 20, "clientKey": "file-key", "defaultHeaders": {"X-Reader": "7"}, "environment": "production",
            "environments": {
                "production": {"domainURL": "api.example", "subdomainURL": "/v2"},
                "staging": {"domainURL": "127.0.0.1", "port": "8080", "useSecureConnection": false, "clientKey": null,
                            "timeout": 0.5, "totalTimeout": 60, "queueTimeout": 3, "retry": "standard",
                            "certificateAuthorityFile": null}
            }
        }
        """#

    @Test("takes the environment that the file chooses, over the settings for all")
    func takesFile() throws {
        try withFile(Self.file) { path in
            let configuration = try NetworkingConfiguration(contentsOf: path, environment: [:])

            #expect(try configuration.url(for: "x").absoluteString == "https://api.example/v2/x")
            #expect(configuration.timeout == .seconds(20))
            #expect(configuration.clientKey?.value == "file-key")
            #expect(configuration.defaultHeaders["X-Reader"] == "7")
        }
    }

    @Test("swaps the environment by a variable, and by name before that")
    func swapsEnvironments() throws {
        try withFile(Self.file) { path in
            let variables = ["MASTHEAD_ENVIRONMENT": "staging"]
            let staging = try NetworkingConfiguration(contentsOf: path, environment: variables)
            let production = try NetworkingConfiguration(contentsOf: path, named: "production", environment: variables)

            #expect(try staging.url(for: "x").absoluteString == "http://127.0.0.1:8080/x")
            #expect(staging.timeout == .milliseconds(500) && staging.totalTimeout == .seconds(60))
            #expect(staging.queueTimeout == .seconds(3) && staging.retry == .standard)
            #expect(production.retry == .never)
            #expect(staging.clientKey == nil)
            #expect(production.domainURL == "api.example")
        }
    }

    @Test("lets a variable win over the file, and the file over the code")
    func ordersSources() throws {
        try withFile(Self.file) { path in
            let configuration = try NetworkingConfiguration(
                contentsOf: path,
                environment: [
                    "MASTHEAD_CLIENT_KEY": "variable-key", "MASTHEAD_PORT": "8443", "MASTHEAD_SUBDOMAIN_URL": "",
                    "MASTHEAD_DEFAULT_HEADERS": #"{"X-Reader": "8"}"#, "MASTHEAD_ENCODE_AS_URL": "GET, PURGE",
                    "UNRELATED": "x", "MASTHEAD_SOMETHING_ELSE_ENTIRELY": "x",
                ]
            ) {
                $0.timeout = .seconds(1)
                $0.maximumRedirects = 2
                $0.clientKey = "code-key"
            }

            #expect(configuration.clientKey?.value == "variable-key")
            #expect(try configuration.url(for: "x").absoluteString == "https://api.example:8443/v2/x")
            #expect(configuration.timeout == .seconds(20))
            #expect(configuration.maximumRedirects == 2)
            #expect(configuration.defaultHeaders.values(of: "X-Reader") == ["8"])
            #expect(configuration.encodeAsURL == ["GET", "PURGE"])
        }
    }

    @Test("reads variables alone, and every one of them")
    func readsVariables() throws {
        let configuration = try NetworkingConfiguration(
            environment: [
                "APP_DOMAIN_URL": "::1", "APP_PORT": "8080", "APP_SUBDOMAIN_URL": "v1",
                "APP_USE_SECURE_CONNECTION": "No",
                "APP_TIMEOUT": "1.5", "APP_CONNECTION_TIMEOUT": "2", "APP_TOTAL_TIMEOUT": "3",
                "APP_SECONDS_BETWEEN_POLLS": "0",
                "APP_MAXIMUM_POLLING_RETRIES": "4", "APP_MAXIMUM_REDIRECTS": "5", "APP_MAXIMUM_BODY_SIZE": "6",
                "APP_MAXIMUM_CONNECTIONS_PER_HOST": "7", "APP_SECRET_HEADERS": "X-Token,X-Pin",
                "APP_CERTIFICATE_AUTHORITY_FILE": "/etc/hosts", "APP_CLIENT_KEY": "key",
                "APP_AUTHORIZATION": "bareToken",
            ],
            prefix: "APP_"
        )

        #expect(try configuration.url(for: "x").absoluteString == "http://[::1]:8080/v1/x")
        #expect(configuration.timeout == .milliseconds(1500) && configuration.connectionTimeout == .seconds(2))
        #expect(configuration.totalTimeout == .seconds(3) && configuration.secondsBetweenPolls == .zero)
        #expect(configuration.maximumPollingRetries == 4 && configuration.maximumRedirects == 5)
        #expect(configuration.maximumBodySize == 6 && configuration.maximumConnectionsPerHost == 7)
        #expect(configuration.secretHeaders.isSuperset(of: ["x-token", "x-pin", "authorization", "cookie"]))
        #expect(configuration.certificateAuthorityFile == "/etc/hosts" && configuration.clientKey?.value == "key")
        #expect("\(configuration.authorization)" == "\(AuthorizationScheme.bareToken)")
    }

    @Test("finds the file that a variable names, and paths in it beside it")
    func findsFile() throws {
        try withFile(#"{"domainURL": "h.example", "certificateAuthorityFile": "masthead.json"}"#) { path in
            let configuration = try NetworkingConfiguration(environment: ["MASTHEAD_CONFIGURATION": path])

            #expect(configuration.domainURL == "h.example")
            #expect(configuration.certificateAuthorityFile == path)
        }
    }

    @Test(
        "refuses a wrong file, and says where and why without the value",
        arguments: [
            (#"{"domainURL": "h.example", "clientKey": 4711}"#, "clientKey: expected text"),
            (#"{"domainURL": "h.example", "port": "4711x"}"#, "port: expected"),
            (#"{"domainURL": "h.example", "port": 4711.5}"#, "port: expected"),
            (#"{"domainURL": "h.example", "port": 471100}"#, "port"),
            (#"{"domainURL": "h.example", "timeout": "4711"}"#, "timeout: expected a number of seconds"),
            (#"{"domainURL": "h.example", "timeout": 4711e300}"#, "timeout"),
            (#"{"domainURL": "h.example", "timeout": 0}"#, "timeout"),
            (#"{"domainURL": "h.example", "timeout": null}"#, "timeout"),
            (
                #"{"domainURL": "h.example", "useSecureConnection": "true"}"#,
                "useSecureConnection: expected true or false"
            ),
            (#"{"domainURL": "h.example", "timout": 4711}"#, "timout: no such setting; did you mean timeout?"),
            (#"{"domainURL": "h.example", "clientkey": "4711"}"#, "did you mean clientKey?"),
            (#"{"domainURL": "h.example", "colour": "4711"}"#, "colour: no such setting"),
            (#"{"domainURL": "h.example", "clientKey": "4711\n"}"#, "clientKey holds"),
            (#"{"domainURL": "h.example", "encodeAsURL": ["GET", 4711]}"#, "encodeAsURL: expected a list"),
            (#"{"domainURL": "h.example", "defaultHeaders": {"X-A": 4711}}"#, "defaultHeaders: expected"),
            (#"{"environments": {"a": {"domainURL": "h.example"}}}"#, "none is chosen of a"),
            (#"{"environment": "b", "environments": {"a": {"domainURL": "h.example"}}}"#, "only a"),
            (
                #"{"environment": "a", "environments": {"a": {"prot": 4711}}}"#,
                "environments.a.prot: no such setting; did you mean port?"
            ),
            (#"{"environments": {"a": 1}}"#, "environments: expected"), ("{}", "no domainURL"),
            ("[]", "expected an object"),
            (#"{"domainURL": "h.example", "clientKey": "4711" "#, "no JSON at byte 47"), ("", "no JSON at byte 0"),
        ]
    )
    func refusesFiles(json: String, hint: String) throws {
        try withFile(json) { path in
            let reason = Self.reason { () throws(RepositoryError) in
                _ = try NetworkingConfiguration(contentsOf: path, environment: [:])
            }

            #expect(reason?.contains(hint) == true && reason?.contains(path) == true, "\(reason ?? "accepted")")
            // The file's name is made by chance, and may have these digits.
            #expect(reason?.replacing(path, with: "").contains("4711") == false)
        }
    }

    @Test(
        "refuses a wrong variable, and names it without the value",
        arguments: [
            (["MASTHEAD_PORT": "4711x"], "MASTHEAD_PORT: expected"),
            (["MASTHEAD_TIMEOUT": "4711s"], "MASTHEAD_TIMEOUT: expected"),
            (["MASTHEAD_TIMOUT": "4711"], "did you mean MASTHEAD_TIMEOUT?"),
            (["MASTHEAD_CLIENT_KEY": "4711 "], "clientKey"),
            (["MASTHEAD_USE_SECURE_CONNECTION": "4711"], "expected true or false"),
            (["MASTHEAD_DOMAIN_URL": ""], "no domainURL"),
            (["MASTHEAD_DEFAULT_HEADERS": "X-A: 4711"], "MASTHEAD_DEFAULT_HEADERS"),
            (["MASTHEAD_ENVIRONMENT": "a"], "no file"),
            (["MASTHEAD_MAXIMUM_BODY_SIZE": "99999999999999999999"], "MASTHEAD_MAXIMUM_BODY_SIZE"),
            (["MASTHEAD_CONFIGURATION": "/nonexistent/masthead.json"], "no such file"),
            (["MASTHEAD_CONFIGURATION": "/dev/zero"], "no file"), (["MASTHEAD_CONFIGURATION": "/etc"], "no file"),
        ]
    )
    func refusesVariables(variables: [String: String], hint: String) {
        let all = ["MASTHEAD_DOMAIN_URL": "h.example"].merging(variables) { $1 }
        let reason = Self.reason { () throws(RepositoryError) in _ = try NetworkingConfiguration(environment: all) }

        #expect(reason?.contains(hint) == true, "\(reason ?? "accepted")")
        #expect(reason?.contains("4711") != true)
    }

    @Test("bounds the size of a file")
    func boundsSize() throws {
        try withFile(String(repeating: " ", count: 1 << 20 | 1)) { path in
            let reason = Self.reason { () throws(RepositoryError) in
                _ = try NetworkingConfiguration(contentsOf: path, environment: [:])
            }

            #expect(reason?.contains("bigger than") == true)
        }
    }

    private static func reason(_ load: () throws(RepositoryError) -> Void) -> String? {
        do {
            try load()
            return nil
        } catch {
            if case .invalidConfiguration(let reason) = error { return reason }
            return nil
        }
    }

    private func withFile(_ json: String, _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "masthead.json")
        try Data(json.utf8).write(to: file)
        try body(file.path)
    }
}
