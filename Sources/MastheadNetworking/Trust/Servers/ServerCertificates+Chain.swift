import FoundationEssentials
import MastheadCrypto

extension ServerCertificates {
    /// Says what a handshake showed.
    init(_ chain: ServerChain, of probe: ServerProbe) throws(RepositoryError) {
        host = probe.host
        port = probe.port
        var problems: [String] = []
        if let problem = chain.problem { problems.append("no trusted authority vouches for it: \(problem)") }
        if let own = chain.served.first, !own.isFor(probe.host) { problems.append("it is not for \(probe.host)") }
        self.problems = problems
        do throws(CryptoError) {
            var certificates: [Certificate] = []
            for (index, certificate) in (chain.built.isEmpty ? chain.served : chain.built).enumerated() {
                certificates.append(try Certificate(certificate, isOwn: index == 0))
            }
            self.certificates = certificates
        } catch {
            throw .tls(reason: "\(error)")
        }
    }
}

extension ServerCertificates.Certificate {
    fileprivate init(_ certificate: MastheadCrypto.Certificate, isOwn: Bool) throws(CryptoError) {
        role = isOwn ? .server : certificate.isSelfIssued ? .root : .intermediate
        subject = certificate.subject
        issuer = certificate.issuer
        expiry = certificate.end.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        publicKeyPin = "sha256/" + Data(try certificate.publicKeyDigest()).base64EncodedString()
        certificatePin = "sha256/" + Data(try certificate.digest()).base64EncodedString()
    }
}
