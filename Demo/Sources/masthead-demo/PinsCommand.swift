import FoundationEssentials
import MastheadNetworking

/// Prints what a server can be pinned to: `masthead-demo pins HOST:PORT`.
struct PinsCommand: Sendable {
    /// The server, as it stands on the command line.
    let server: String

    /// A PEM file of authorities to trust instead of the system's; `nil` for those.
    let authorities: String?

    let terminal: Terminal

    /// - Returns: The status the process ends with: 0 only if the server is what it says.
    func run() async -> Int32 {
        let found: ServerCertificates
        do throws(RepositoryError) {
            found = try await ServerCertificates(of: server, certificateAuthorityFile: authorities)
        } catch {
            terminal.bad("\(error)")
            return 1
        }
        terminal.title("\(found.host), port \(found.port)")
        for certificate in found.certificates { show(certificate) }
        terminal.line()
        if found.isVerified {
            terminal.good("the chain was verified, up to an authority that is trusted here")
            advise(found)
            return 0
        }
        for problem in found.problems { terminal.bad(problem) }
        terminal.bad("these certificates are as they were sent, and may be anybody's: pin none of them unseen")
        return 1
    }

    private func show(_ certificate: ServerCertificates.Certificate) {
        let role =
            switch certificate.role {
            case .server: "the server's own"
            case .intermediate: "an intermediate authority's"
            case .root: "a root's"
            }
        let end = certificate.expiry.map { ", until \($0.formatted(.iso8601.year().month().day()))" } ?? ""
        terminal.line("  \(role)\(end)")
        terminal.line("    \(certificate.publicKeyPin) \(certificate.subject)")
    }

    private func advise(_ found: ServerCertificates) {
        terminal.line("  In your configuration:")
        let keys = found.certificates.filter { $0.role != .root }
        let lines =
            ["$0.pinning = .publicKeys(["]
            + keys.map { "    \"\($0.publicKeyPin)\",  // \($0.subject)" }
            + ["    \"sha256/…\",  // your backup's", "])"]
        terminal.code(lines.joined(separator: "\n"))
        terminal.line(
            "  Pin the server's own key or an intermediate's, rather than a root's, and a backup that is kept offline:"
        )
        terminal.code(
            """
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out backup.key
            openssl pkey -in backup.key -pubout -outform der | openssl dgst -sha256 -binary | base64
            """
        )
    }
}
