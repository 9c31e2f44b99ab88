extension ScriptedServer {
    /// How a ``ScriptedServer`` speaks TLS: with a certificate of an authority that is made on the spot.
    ///
    /// ```swift
    /// let server = try ScriptedServer(.json("[]"), tls: .selfSigned)
    /// let trusting = server.configuration()       // trusts the authority of this server, and no other
    /// let distrusting = server.configuration { $0.certificateAuthorityFile = nil }
    /// ```
    ///
    /// The server speaks TLS 1.2 and 1.3 and, over them, HTTP/1.1 alone.
    public struct TLS: Sendable, Hashable {
        enum Validity: Sendable, Hashable {
            case now
            case expired
            case future
        }

        let names: [String]
        let addresses: [String]
        let validity: Validity

        /// A certificate for `localhost`, 127.0.0.1 and ::1, which holds from yesterday to tomorrow.
        public static let selfSigned = TLS(names: ["localhost"], addresses: ["127.0.0.1", "::1"], validity: .now)

        /// A certificate for these DNS names and no address, so that a client that asks by address must refuse it.
        public static func selfSigned(names: [String]) -> TLS {
            TLS(names: names, addresses: [], validity: .now)
        }

        /// A certificate for the right host that has expired an hour ago.
        public static let expired = TLS(names: ["localhost"], addresses: ["127.0.0.1", "::1"], validity: .expired)

        /// A certificate for the right host that begins to hold in an hour.
        public static let notYetValid = TLS(names: ["localhost"], addresses: ["127.0.0.1", "::1"], validity: .future)
    }
}
