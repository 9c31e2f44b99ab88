#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where an app keeps its resources, as SwiftPM and Foundation lay them out on Linux; looking there blocks.
///
/// SwiftPM copies a target's resources into `PACKAGE_TARGET.resources` beside the executable; Foundation's own places are
/// `NAME.resources` beside the executable `NAME`, and `../share/NAME.resources` where that is in a `bin` folder.
package struct AppResources: Sendable, Hashable {
    /// The executable's path; `nil` for this process's.
    let executable: String?

    /// The resources of this process.
    package static let ofThisProcess = AppResources(executable: nil)

    /// The resources of another executable, for tests.
    package init(executable: String?) {
        self.executable = executable
    }

    /// The one place that holds certificates: its folders that do.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if there is none, or if several bundles could be meant: to
    ///   take them all would let a dependency's certificates stand for the app's.
    func certificateFolders() throws(RepositoryError) -> [CertificateFolder] {
        guard let path = executable ?? Self.pathOfThisProcess, let slash = path.lastIndex(of: "/") else {
            throw .invalidConfiguration(reason: "usePinningCertificate: the executable's folder is not known")
        }
        let folder = String(path[..<slash])
        let name = String(path[path.index(after: slash)...])
        let bundles = Self.names(in: folder).filter { $0.hasSuffix(".resources") }
        let own =
            bundles.filter { $0 == "\(name).resources" || $0.hasSuffix("_\(name).resources") }
            .map { "\(folder)/\($0)" } + ["\(folder)/../share/\(name).resources"]
        for places in [own, bundles.map { "\(folder)/\($0)" }] {
            let found = places.map { Self.foldersWithCertificates(below: $0) }.filter { !$0.isEmpty }
            guard found.count < 2 else {
                let names = found.compactMap {
                    $0.first?.path.split(separator: "/").last { $0.hasSuffix(".resources") }
                }
                throw .invalidConfiguration(
                    reason: "usePinningCertificate: there are certificates in \(names.joined(separator: " and ")): "
                        + "say with pinning = .certificates(in:) which are meant"
                )
            }
            if let folders = found.first { return folders }
        }
        let beside = CertificateFolder(folder)
        guard let files = try? beside.files(), !files.isEmpty else {
            throw .invalidConfiguration(
                reason:
                    "usePinningCertificate: there is no .cer, .crt, .der or .pem file among the resources of \(name)"
            )
        }
        return [beside]
    }

    /// A bundle's folders that hold certificates: it may have kept the folders of the sources.
    private static func foldersWithCertificates(below path: String, depth: Int = 3) -> [CertificateFolder] {
        let folder = CertificateFolder(path)
        var found = (try? folder.files()).map { $0.isEmpty ? [] : [folder] } ?? []
        guard depth > 0 else { return found }
        for name in names(in: path) where isFolder("\(path)/\(name)") {
            found += foldersWithCertificates(below: "\(path)/\(name)", depth: depth - 1)
        }
        return found
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder), names.count < 10_000 {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether it is a folder, and no link to one.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static var pathOfThisProcess: String? {
        CertificateFolder.realPath("/proc/self/exe") ?? CommandLine.arguments.first.flatMap(CertificateFolder.realPath)
    }
}
