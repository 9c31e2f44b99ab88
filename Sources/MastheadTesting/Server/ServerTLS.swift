package import MastheadCrypto
import MastheadLock

/// A server's side of TLS, with the file that tells clients whom to trust.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// var settings = TLSServerSettings(try authority.issue(names: ["localhost"]))
/// settings.maximumVersion = .tls12
/// let server = try ScriptedServer(secured: ServerTLS(settings, trusting: [authority.certificate])) { _ in .json("[]") }
/// ```
package final class ServerTLS: Sendable {
    private let current: Lock<TLSServerContext>
    let authorityFile: TemporaryFile
    let record = TLSRecord()

    /// What connections from now on get.
    package var context: TLSServerContext { current.withLock { $0 } }

    /// The path of the file, which is removed with this object.
    package var authorityPath: String { authorityFile.path }

    /// What became of each connection, in the order in which they were accepted.
    package var passages: [TLSPassage] { record.passages }

    /// Makes an authority, a certificate of it and its file.
    package convenience init(
        _ tls: ScriptedServer.TLS,
        protocols: [String] = ["http/1.1"]
    ) throws(ScriptedServerError) {
        var settings: TLSServerSettings
        let authority: CertificateAuthority
        do throws(CryptoError) {
            authority = try CertificateAuthority()
            let validity: CertificateAuthority.Validity =
                switch tls.validity {
                case .now: .aroundNow
                case .expired: .expired
                case .future: .future
                }
            let identity = try authority.issue(names: tls.names, addresses: tls.addresses, validity: validity)
            settings = TLSServerSettings(identity)
            settings.protocols = protocols
        } catch {
            throw .tls(reason: error.description)
        }
        try self.init(settings, trusting: [authority.certificate])
    }

    /// Serves what the settings say, to clients that trust these certificates.
    package init(_ settings: TLSServerSettings, trusting trusted: [Certificate]) throws(ScriptedServerError) {
        let pem: String
        let name: String
        do throws(CryptoError) {
            current = Lock(try TLSServerContext(settings))
            pem = try trusted.map { certificate throws(CryptoError) in try certificate.pem() }.joined()
            name = try SecureRandom.bytes(count: 16).map { String($0, radix: 36) }.joined()
        } catch {
            throw .tls(reason: error.description)
        }
        authorityFile = try TemporaryFile(named: "masthead-\(name).pem", containing: pem)
    }

    /// Serves something else to connections from now on; whom clients trust stays.
    package func serve(_ settings: TLSServerSettings) throws(CryptoError) {
        let context = try TLSServerContext(settings)
        current.withLock { $0 = context }
    }
}
