import FoundationEssentials
import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The name of a partition's file: which environment, and whose.
///
/// Neither can be read from it.
struct CacheFileName: Sendable, Hashable {
    /// What stands for the environment: 16 hexadecimal digits.
    let environment: String

    /// What stands for the user: 32 hexadecimal digits, or ``nobody``.
    let user: String

    /// Whether what is in it is sealed.
    let isSealed: Bool

    private static let nobody = "shared"
    private static let suffix = ".cache"
    private static let sealedSuffix = ".sealed.cache"

    /// Makes a name.
    ///
    /// - Parameters:
    ///   - environment: What stands for the environment.
    ///   - user: The user's name; `nil` for nobody's.
    ///   - isSealed: Whether what is in it is sealed.
    init(environment: String, user: String?, isSealed: Bool = false) {
        self.environment = environment
        self.user = user ?? Self.nobody
        self.isSealed = isSealed
    }

    /// Whether it is nobody's.
    var isNobodys: Bool { user == Self.nobody }

    /// The file of the same user in the other form.
    var other: CacheFileName {
        CacheFileName(environment: environment, user: user, isSealed: !isSealed)
    }

    /// What stands for a configuration's environment; `nil` for an impossible one.
    static func environment(of configuration: NetworkingConfiguration) -> String? {
        guard let base = try? BaseURL(configuration) else { return nil }
        return environment(of: base)
    }

    /// What stands for an environment.
    static func environment(of base: BaseURL) -> String? {
        (try? Digest.sha256((base.origin + base.path).utf8)).map { String($0.hexadecimal.prefix(16)) }
    }

    /// Reads a name, whichever of its files it is of; `nil` for a foreign one.
    init?(fileName: String) {
        let parts = fileName.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].count == 16, parts[0].allSatisfy(\.isHexDigit) else { return nil }
        guard let end = parts[1].firstIndex(of: ".") else { return nil }
        let user = String(parts[1][..<end])
        isSealed = parts[1][end...].hasPrefix(Self.sealedSuffix)
        guard isSealed || parts[1][end...].hasPrefix(Self.suffix) else { return nil }
        guard user == Self.nobody || (user.count == 32 && user.allSatisfy(\.isHexDigit)) else { return nil }
        environment = parts[0]
        self.user = user
    }

    private var text: String { "\(environment)-\(user)\(isSealed ? Self.sealedSuffix : Self.suffix)" }

    /// Where the file is.
    func path(in folder: String) -> String { "\(folder)/\(text)" }

    /// The names of all that is in a folder; of none if there is no folder.
    static func all(in folder: String) throws(CacheError) -> Set<CacheFileName> {
        Set(try Self.files(in: folder).compactMap { CacheFileName(fileName: $0) })
    }

    /// Removes the file and all that SQLite and we have put beside it.
    func remove(from folder: String) throws(CacheError) {
        for file in try Self.files(in: folder) where CacheFileName(fileName: file) == self {
            guard unlink("\(folder)/\(file)") == 0 || errno == ENOENT else {
                throw .unavailable(reason: "a file cannot be removed (\(String(cString: strerror(errno))))")
            }
        }
    }

    private static func files(in folder: String) throws(CacheError) -> [String] {
        guard let directory = opendir(folder) else {
            guard errno != ENOENT else { return [] }
            throw .unavailable(reason: "the folder cannot be read (\(String(cString: strerror(errno))))")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let capacity = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: capacity) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}
