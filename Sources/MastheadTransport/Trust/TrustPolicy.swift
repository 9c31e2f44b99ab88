/// Whom to trust: exchanges share connections and TLS sessions only with those of an equal policy.
package struct TrustPolicy: Sendable, Hashable {
    /// A PEM file of certificate authorities; `nil` takes the system's.
    package var certificateAuthorityFile: String?
    /// What hosts are known by; `nil` for what their names' authorities say alone.
    package var pins: PinSource?
    /// How TLS is spoken.
    package var tls = TLSSettings()
    /// Who learns what is to be known about pins.
    package var pinReporter: PinReporter?
    /// Where connections come from; `nil` makes them over the network.
    package var socketSource: SocketSource?

    package init(certificateAuthorityFile: String? = nil) {
        self.certificateAuthorityFile = certificateAuthorityFile
    }
}
