import MastheadCrypto
import MastheadTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder of certificates that servers are pinned to; reading it blocks.
struct CertificateFolder {
    /// No certificate file is that big; what is, is another file.
    static let maximumFileSize = 1 << 20

    /// No app pins more; a machine's list of authorities is shorter than that, and pins nothing.
    static let maximumCertificates = 256

    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The names of its certificate files, in order; links that lead out of it are not among them.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if it cannot be read.
    func files() throws(RepositoryError) -> [String] {
        guard let folder = opendir(path) else {
            throw .invalidConfiguration(
                reason: "pinning: \(path) \(errno == ENOENT ? "is not there" : "is no folder that can be read")"
            )
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if Self.isCertificate(name), leadsInside(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// All certificates of its files.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if there is none, or if one file is not what its name says:
    ///   to leave it out would pin less than the app's developer thinks.
    func certificates() throws(RepositoryError) -> [Certificate] {
        var certificates: [Certificate] = []
        for name in try files() {
            certificates += try read(name)
            guard certificates.count <= Self.maximumCertificates else {
                throw .invalidConfiguration(
                    reason: "pinning: \(path) holds more than \(Self.maximumCertificates) certificates"
                )
            }
        }
        guard !certificates.isEmpty else {
            throw .invalidConfiguration(reason: "pinning: \(path) holds no .cer, .crt, .der or .pem file")
        }
        return certificates
    }

    private func read(_ name: String) throws(RepositoryError) -> [Certificate] {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.contents("\(path)/\(name)", maximumSize: Self.maximumFileSize)
        } catch {
            throw .invalidConfiguration(reason: "pinning: \(name) \(error.text)")
        }
        do throws(CryptoError) {
            return try Certificate.certificates(in: bytes)
        } catch {
            throw .invalidConfiguration(reason: "pinning: \(name) cannot be read as certificates: \(error)")
        }
    }

    private static func isCertificate(_ name: String) -> Bool {
        let name = name.lowercased()
        return !name.hasPrefix(".") && [".cer", ".crt", ".der", ".pem"].contains { name.hasSuffix($0) }
    }

    private func leadsInside(_ name: String) -> Bool {
        guard let file = Self.realPath("\(path)/\(name)") else {
            // A link to nowhere is a mistake within the folder, and is heard of when it is read.
            return true
        }
        guard let folder = Self.realPath(path) else { return true }
        return file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
