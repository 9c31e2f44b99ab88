import FoundationEssentials
import MastheadCrypto
import MastheadNetworking
import MastheadTransport
import Testing

@Suite("A folder of certificates")
struct CertificateFolderTests {
    private let folder: TestFolder
    private let authority: CertificateAuthority
    private let leaf: Certificate

    init() throws {
        folder = try TestFolder()
        authority = try CertificateAuthority()
        leaf = try authority.issue(names: ["api.example.com"]).certificate
    }

    private func configuration(_ subject: CertificatePinning.Subject = .publicKey) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "api.example.com") {
            $0.pinning = .certificates(in: folder.path(""), comparing: subject)
        }
    }

    private func pem(_ certificate: Certificate) throws -> Data { Data(try certificate.pem().utf8) }

    @Test("pinning case 45: is read by what its files hold: DER in .cer and .crt, PEM in .der, several in one .pem")
    func reads() throws {
        let others = try (1...3).map { try authority.issue(names: ["n\($0).example"]).certificate }
        _ = try folder.file("a.cer", Data(leaf.der()))
        _ = try folder.file("b.CRT", Data(others[0].der()))
        _ = try folder.file("c.der", pem(others[1]))
        _ = try folder.file("d.pem", pem(others[2]) + pem(authority.certificate))
        _ = try folder.file("readme.txt", Data("no certificate".utf8))
        _ = try folder.file(".hidden.pem", Data("no certificate".utf8))

        let all = [leaf, authority.certificate] + others
        let keys = try #require(try configuration().policy?.hosts.first?.pins)
        let wholes = try #require(try configuration(.certificate).policy?.hosts.first?.pins)

        #expect(try keys == Set(all.map { .publicKey(try $0.publicKeyDigest()) }))
        #expect(try wholes == Set(all.map { .certificate(try $0.digest()) }))
    }

    @Test("pinning case 45: is refused if it is not there, if it is empty, and for one file that is no certificate")
    func refuses() throws {
        let missing = NetworkingConfiguration(domainURL: "h.example") {
            $0.pinning = .certificates(in: folder.path("missing"))
        }
        #expect(missing.invalidity?.hasSuffix("is not there") == true)
        #expect(configuration().invalidity?.contains("holds no .cer") == true)

        _ = try folder.file("good.pem", pem(leaf) + pem(authority.certificate))
        #expect(configuration().invalidity == nil)
        _ = try folder.file("garbage.der", Data("garbage".utf8))
        #expect(configuration().invalidity?.contains("garbage.der cannot be read as certificates") == true)
        _ = try folder.file("garbage.der", Data(count: 10 << 20))
        #expect(configuration().invalidity?.contains("garbage.der has more than 1048576 bytes") == true)
        try FileManager.default.removeItem(atPath: folder.path("garbage.der"))
        try FileManager.default.createDirectory(atPath: folder.path("a.pem"), withIntermediateDirectories: true)
        #expect(configuration().invalidity?.contains("a.pem is no file") == true)
    }

    @Test("has one pin for all certificates of one key, and wants a second key")
    func onePin() throws {
        _ = try folder.file("a.pem", pem(leaf))
        _ = try folder.file("same.pem", pem(leaf))

        #expect(configuration().invalidity?.contains("one pin alone") == true)
    }

    @Test("leaves a link alone that leads out of it, and follows one that does not")
    func links() throws {
        let outside = try TestFolder()
        let target = try outside.file("outside.pem", pem(authority.certificate))
        _ = try folder.file("leaf.pem", pem(leaf))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.pem"), withDestinationPath: target)
        #expect(configuration().invalidity?.contains("one pin alone") == true)

        _ = try folder.file("authority.data", pem(authority.certificate))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("inside.pem"),
            withDestinationPath: "authority.data"
        )
        #expect(try configuration().policy?.hosts.first?.pins.count == 2)

        try FileManager.default.createSymbolicLink(atPath: folder.path("broken.pem"), withDestinationPath: "nothing")
        #expect(configuration().invalidity?.contains("broken.pem is not there") == true)
    }

    @Test("of more certificates than an app pins is refused: it is a machine's list of authorities")
    func tooMany() throws {
        let one = try pem(leaf)
        _ = try folder.file("all.pem", (0...256).reduce(into: Data()) { data, _ in data += one })

        #expect(configuration().invalidity?.contains("more than 256 certificates") == true)
    }
}
