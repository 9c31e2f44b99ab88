import FoundationEssentials

extension CertificatePinning {
    /// Reads pins as a configuration's file has them; `nil` if they are not of that form.
    ///
    /// The members are the properties' names. Those of a host stand in `hosts` below its name, or beside `hosts` for the
    /// configuration's own.
    ///
    /// - Parameters:
    ///   - json: An object.
    ///   - folder: The folder from which relative paths are taken.
    init?(_ json: JSONValue, folder: String?) {
        guard var members = json.objectValue else { return nil }
        self.init(hosts: [])
        do throws(Unreadable) {
            try members.take("allowsUnpinnedHosts", \.boolValue) { allowsUnpinnedHosts = $0 }
            try members.take("allowsSinglePin", \.boolValue) { allowsSinglePin = $0 }
            try members.take("reportURI", \.stringValue) { reportURI = $0 }
            try members.take("stateFolder", \.stringValue) { stateFolder = Self.path($0, folder) }
            var others: [String: JSONValue] = [:]
            try members.take("hosts", \.objectValue) { others = $0 }
            if !members.isEmpty { hosts.append(try Host(nil, members, folder)) }
            for (name, value) in others.sorted(by: { $0.key < $1.key }) {
                guard let members = value.objectValue else { return nil }
                hosts.append(try Host(name, members, folder))
            }
        } catch {
            return nil
        }
    }

    fileprivate static func path(_ text: String, _ folder: String?) -> String {
        ConfigurationValue(json: .string(text), isVariable: false, folder: folder).path ?? text
    }
}

extension CertificatePinning.Host {
    fileprivate init(
        _ name: String?,
        _ members: [String: JSONValue],
        _ folder: String?
    ) throws(Unreadable) {
        var members = members
        var subject = CertificatePinning.Subject.publicKey
        var sources: [CertificatePinning.Pins] = []
        try members.take("comparing", { $0.stringValue.flatMap(CertificatePinning.Subject.init) }) { subject = $0 }
        try members.take("publicKeys", \.textsValue) { sources.append(.publicKeys($0)) }
        try members.take("certificates", \.stringValue) {
            sources.append(.certificates(in: CertificatePinning.path($0, folder), comparing: subject))
        }
        try members.take("appCertificates", \.boolValue) {
            if $0 { sources.append(.appCertificates(comparing: subject)) }
        }
        guard sources.count == 1, let pins = sources.first else { throw Unreadable() }
        self.init(pins)
        self.name = name
        try members.take("includesSubdomains", \.boolValue) { includesSubdomains = $0 }
        try members.take("excludedSubdomains", \.textsValue) { excludedSubdomains = Set($0) }
        try members.take("expiry", { $0.stringValue.flatMap { Date(iso8601: $0) } }) { expiry = $0 }
        try members.take("failsWhenExpired", \.boolValue) { failsWhenExpired = $0 }
        try members.take("isEnforced", \.boolValue) { isEnforced = $0 }
        guard members.isEmpty else { throw Unreadable() }
    }
}

extension TLSSettings {
    /// Sets what a configuration's file says; `false` if that is not of the right form.
    ///
    /// That certificates are not checked can be said in code alone.
    mutating func read(_ json: JSONValue, folder: String?) -> Bool {
        guard var members = json.objectValue else { return false }
        var settings = self
        do throws(Unreadable) {
            try members.take("minimumVersion", { $0.stringValue.flatMap(Version.init) }) {
                settings.minimumVersion = $0
            }
            try members.take("stapledStatus", { $0.stringValue.flatMap(StapledStatus.init) }) {
                settings.stapledStatus = $0
            }
            if members["clientIdentity"]?.isNull == true {
                members["clientIdentity"] = nil
                settings.clientIdentity = nil
            }
            try members.take("clientIdentity", { ClientIdentity($0, folder: folder) }) { settings.clientIdentity = $0 }
        } catch {
            return false
        }
        guard members.isEmpty else { return false }
        self = settings
        return true
    }
}

extension ClientIdentity {
    fileprivate init?(_ json: JSONValue, folder: String?) {
        guard var texts = json.objectValue?.compactMapValues(\.stringValue), texts.count == json.objectValue?.count
        else {
            return nil
        }
        let passphrase = texts.removeValue(forKey: "passphrase").map { Secret($0) }
        let paths = texts.mapValues { CertificatePinning.path($0, folder) }
        if let file = paths["pkcs12File"], paths.count == 1 {
            self = .pkcs12(file: file, passphrase: passphrase)
        } else if let certificate = paths["certificateFile"], let key = paths["keyFile"], paths.count == 2 {
            self = .pem(certificateFile: certificate, keyFile: key, passphrase: passphrase)
        } else {
            return nil
        }
    }
}

/// A member of the wrong kind, or of an unknown name.
private struct Unreadable: Error {}

extension [String: JSONValue] {
    /// Takes a member out, if it is there.
    fileprivate mutating func take<Kind>(
        _ key: String,
        _ kind: (JSONValue) -> Kind?,
        _ use: (Kind) -> Void
    ) throws(Unreadable) {
        guard let json = removeValue(forKey: key) else { return }
        guard let value = kind(json) else { throw Unreadable() }
        use(value)
    }
}

extension JSONValue {
    fileprivate var textsValue: [String]? {
        ConfigurationValue(json: self, isVariable: false, folder: nil).list
    }
}
