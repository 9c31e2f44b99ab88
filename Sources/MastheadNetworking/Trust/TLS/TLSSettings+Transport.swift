import MastheadTransport

extension MastheadTransport.TLSSettings {
    /// The settings as the transport takes them; reading files blocks.
    init(_ settings: TLSSettings) throws(RepositoryError) {
        self.init()
        minimumVersion =
            switch settings.minimumVersion {
            case .tls12: .tls12
            case .tls13: .tls13
            }
        stapling =
            switch settings.stapledStatus {
            case .ignored: .ignored
            case .checked: .checked
            case .required: .required
            }
        clientIdentity = try settings.clientIdentity.map { identity throws(RepositoryError) in
            try TLSClientIdentity(identity)
        }
        dangerouslyTrustsAnyCertificateOnPrivateNetworks = settings.dangerouslyTrustsAnyCertificateOnPrivateNetworks
    }
}

extension TLSClientIdentity {
    /// No certificate and no key is that big.
    private static let maximumFileSize = 1 << 20

    convenience init(_ identity: ClientIdentity) throws(RepositoryError) {
        let form: Form =
            switch identity.form {
            case .pem(let certificateFile, let keyFile):
                .pem(certificates: try Self.contents(certificateFile), key: try Self.contents(keyFile))
            case .pkcs12(let file): .pkcs12(try Self.contents(file))
            }
        self.init(form, passphrase: identity.passphrase?.value)
    }

    private static func contents(_ path: String) throws(RepositoryError) -> [UInt8] {
        do throws(SmallFile.Failure) {
            return try SmallFile.contents(path, maximumSize: maximumFileSize)
        } catch {
            throw .invalidConfiguration(reason: "clientIdentity: \(path) \(error.text)")
        }
    }
}
