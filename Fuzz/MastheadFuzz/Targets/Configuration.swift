import FoundationEssentials
import Glibc
import MastheadNetworking

/// A configuration's file, and the same bytes as environment variables, one a line and eight at most.
func checkConfiguration(_ bytes: [UInt8]) {
    let file = PrivateFile.shared
    file.write(bytes)
    check { () throws(RepositoryError) in
        try NetworkingConfiguration(contentsOf: file.path, environment: [:]) { $0.clientKey = "planted-secret" }
    }
    var variables: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(8) {
        let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2, pair[0] != "CONFIGURATION" { variables["MASTHEAD_\(pair[0])"] = String(pair[1]) }
    }
    check { () throws(RepositoryError) in try NetworkingConfiguration(environment: variables) }
}

private func check(_ load: () throws(RepositoryError) -> NetworkingConfiguration) {
    do throws(RepositoryError) {
        let configuration = try load()
        try configuration.validate()
        let url = try configuration.url(for: "a/b", query: ["c": "d"])
        claim(url.path().hasSuffix("/a/b") && url.query() == "c=d", "what is valid makes URLs")
        claim(url.user() == nil && url.scheme == (configuration.useSecureConnection ? "https" : "http"), "as it says")
        claim(!String(reflecting: configuration).contains("planted-secret"), "a secret is not shown")
    } catch {
        guard case .invalidConfiguration(let reason) = error else {
            return claim(false, "an invalid configuration says so: \(error)")
        }
        claim(!reason.contains("planted-secret"), "an error shows no secret")
        claim(reason.utf8.count < 2000, "an error is no book")
    }
}

/// A file without a name, which the process has to itself.
private final class PrivateFile: Sendable {
    static let shared = PrivateFile()

    private let descriptor: Int32

    var path: String { "/proc/self/fd/\(descriptor)" }

    init() {
        var name = Array("/tmp/masthead-fuzz-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        unlink(name)
    }

    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        claim(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, "the file is written")
    }
}
