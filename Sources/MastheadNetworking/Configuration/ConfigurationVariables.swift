/// The environment variables that are about a configuration.
struct ConfigurationVariables {
    private let prefix: String
    private let values: [String: String]

    init(_ environment: [String: String], prefix: String) {
        self.prefix = prefix
        // An empty variable is how a shell or a container leaves one out.
        values = environment.filter { $0.key.hasPrefix(prefix) && !$0.value.isEmpty }
    }

    /// Which of a file's environments to take.
    var environmentName: String? { values[prefix + "ENVIRONMENT"] }

    /// Where the file is.
    var filePath: String? { values[prefix + "CONFIGURATION"] }

    /// Sets what the variables say.
    ///
    /// One that nothing is known of is left alone, since a prefix belongs to nobody, unless it is nearly a known one.
    func apply(to configuration: inout NetworkingConfiguration) throws(RepositoryError) {
        let known = ConfigurationSetting.all.map(\.variable) + ["ENVIRONMENT", "CONFIGURATION"]
        for (name, text) in values.sorted(by: { $0.key < $1.key }) {
            let suffix = String(name.dropFirst(prefix.count))
            if let setting = ConfigurationSetting.all.first(where: { $0.variable == suffix }) {
                let value = ConfigurationValue(json: .string(text), isVariable: true, folder: nil)
                guard setting.apply(value, &configuration) != nil else {
                    throw .invalidConfiguration(reason: "\(name): expected \(setting.expectation)")
                }
            } else if !known.contains(suffix), let near = NearName(suffix, among: known).name {
                throw .invalidConfiguration(
                    reason: "\(name.prefix(64)): no such setting; did you mean \(prefix)\(near)?"
                )
            }
        }
    }
}
