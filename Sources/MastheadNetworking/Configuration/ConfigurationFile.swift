import FoundationEssentials
import MastheadJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file with one configuration, or with one for each environment.
struct ConfigurationFile {
    /// No configuration is that long; what is, is another file.
    private static let maximumSize = 1 << 20

    let path: String
    private let members: [String: JSONValue]

    init(path: String) throws(RepositoryError) {
        self.path = path
        let bytes = try Self.contents(path)
        let value: JSONValue
        do {
            value = try JSONText(BodyText(bytes, contentType: nil).utf8).value()
        } catch let error as JSONSyntaxError {
            throw .invalidConfiguration(reason: "\(path): no JSON at byte \(error.offset): \(error.reason)")
        } catch let error as TextFailure {
            throw .invalidConfiguration(reason: "\(path): no text at byte \(error.offset): \(error.reason)")
        } catch {
            throw .invalidConfiguration(reason: "\(path): no JSON")
        }
        guard let members = value.objectValue else {
            throw .invalidConfiguration(reason: "\(path): expected an object of settings")
        }
        self.members = members
    }

    /// Sets what the file says for all environments, then what it says for the chosen one.
    ///
    /// Without a name the one is chosen that the file's `environment` names, if any.
    func apply(environment name: String?, to configuration: inout NetworkingConfiguration) throws(RepositoryError) {
        var common = members
        let environments = try takeEnvironments(from: &common)
        let ownChoice = try takeChoice(from: &common)
        try apply(common, at: nil, to: &configuration)
        guard let name = name ?? ownChoice else {
            if !environments.isEmpty, configuration.domainURL.isEmpty {
                throw invalid("environment: none is chosen of \(Self.list(environments.keys))")
            }
            return
        }
        guard let chosen = environments[name]?.objectValue else {
            throw invalid("environments: there is none of the chosen name, only \(Self.list(environments.keys))")
        }
        try apply(chosen, at: name, to: &configuration)
    }

    private func takeEnvironments(from members: inout [String: JSONValue]) throws(RepositoryError) -> [String:
        JSONValue]
    {
        guard let value = members.removeValue(forKey: "environments") else { return [:] }
        guard let environments = value.objectValue, environments.values.allSatisfy({ $0.objectValue != nil }) else {
            throw invalid("environments: expected an object with an object of settings for each name")
        }
        return environments
    }

    private func takeChoice(from members: inout [String: JSONValue]) throws(RepositoryError) -> String? {
        guard let value = members.removeValue(forKey: "environment") else { return nil }
        guard let name = value.stringValue else { throw invalid("environment: expected the name of one") }
        return name
    }

    private func apply(
        _ members: [String: JSONValue],
        at environment: String?,
        to configuration: inout NetworkingConfiguration
    ) throws(RepositoryError) {
        let place = environment.map { "environments.\($0.prefix(64))." } ?? ""
        for (key, json) in members.sorted(by: { $0.key < $1.key }) {
            guard let setting = ConfigurationSetting.all.first(where: { $0.key == key }) else {
                let known =
                    ConfigurationSetting.all.map(\.key) + (environment == nil ? ["environment", "environments"] : [])
                throw invalid("\(place)\(key.prefix(64)): no such setting\(NearName(key, among: known).hint)")
            }
            let value = ConfigurationValue(json: json, isVariable: false, folder: folder)
            guard setting.apply(value, &configuration) != nil else {
                throw invalid("\(place)\(key): expected \(setting.expectation)")
            }
        }
    }

    private var folder: String? {
        path.lastIndex(of: "/").map { String(path[...$0]) }
    }

    private func invalid(_ reason: String) -> RepositoryError {
        .invalidConfiguration(reason: "\(path): \(reason)")
    }

    private static func list(_ names: some Sequence<String>) -> String {
        let names = names.sorted().map { String($0.prefix(64)) }
        return names.isEmpty ? "none" : names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    }

    /// Reads a regular file of bounded size: no device and no pipe, which could give no end of it.
    private static func contents(_ path: String) throws(RepositoryError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .invalidConfiguration(reason: "\(path): \(errno == ENOENT ? "no such file" : "cannot be opened")")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidConfiguration(reason: "\(path): no file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while bytes.count <= maximumSize {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .invalidConfiguration(reason: "\(path): cannot be read") }
            if count == 0 { return Data(bytes) }
            bytes.append(contentsOf: buffer[..<count])
        }
        throw .invalidConfiguration(reason: "\(path): bigger than \(maximumSize) bytes")
    }
}
