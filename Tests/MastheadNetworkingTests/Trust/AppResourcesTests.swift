import FoundationEssentials
import MastheadCrypto
import MastheadNetworking
import MastheadTransport
import Testing

@Suite("The app's own certificates")
struct AppResourcesTests {
    private let folder: TestFolder
    private let keys: [Certificate]

    init() throws {
        folder = try TestFolder()
        let authority = try CertificateAuthority()
        keys = try (1...6).map { try authority.issue(names: ["n\($0).example"]).certificate }
    }

    private var configuration: NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "api.example.com") {
            $0.usePinningCertificate = true
            $0.appResources = AppResources(executable: folder.path("bin/Reader"))
        }
    }

    /// Puts two of the certificates where an app may have them.
    private func put(_ numbers: Range<Int>, in place: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(place), withIntermediateDirectories: true)
        for number in numbers {
            _ = try folder.file("\(place)/\(number).cer", Data(keys[number].der()))
        }
    }

    private func expect(_ numbers: Range<Int>, from place: String) throws {
        let pins = try configuration.policy?.hosts.first?.pins
        #expect(try pins == Set(keys[numbers].map { .publicKey(try $0.publicKeyDigest()) }), "\(place)")
    }

    @Test("are found in the first place that has some: its own bundle, another, the executable's folder")
    func places() throws {
        try put(0..<2, in: "bin")
        try expect(0..<2, from: "the executable's folder")
        try put(2..<4, in: "bin/Newsstand_Kit.resources/Certificates")
        try expect(2..<4, from: "another bundle, in a folder of its")
        try put(4..<6, in: "bin/Newsstand_Reader.resources")
        try expect(4..<6, from: "its own bundle")
    }

    @Test(
        "are found where Foundation looks: NAME.resources beside NAME, and below share",
        arguments: [
            "bin/Reader.resources", "share/Reader.resources",
        ]
    )
    func foundationPlaces(place: String) throws {
        try put(0..<2, in: "bin")
        try put(2..<4, in: place)
        try expect(2..<4, from: place)
    }

    @Test("that are nowhere make the configuration invalid, which says where they would have to be")
    func nowhere() throws {
        try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)

        let reason = try #require(configuration.invalidity)

        #expect(reason.contains("usePinningCertificate") && reason.contains("resources of Reader"), "\(reason)")
    }

    @Test("are not guessed among several bundles: a dependency's must not stand for them")
    func several() throws {
        try put(0..<2, in: "bin/A_Kit.resources")
        try put(2..<4, in: "bin/B_TLS.resources")

        let reason = try #require(configuration.invalidity)

        #expect(reason.contains("A_Kit.resources and B_TLS.resources"), "\(reason)")
    }

    @Test("are this process's own by default, and there are none here")
    func ownProcess() {
        let configuration = NetworkingConfiguration(domainURL: "h.example") { $0.usePinningCertificate = true }

        #expect(configuration.invalidity?.hasPrefix("usePinningCertificate") == true)
    }

    @Test("can be taken for any host, with everything else that a host may have")
    func appCertificates() throws {
        try put(0..<2, in: "bin/Reader.resources")
        var configuration = configuration
        configuration.usePinningCertificate = false
        configuration.pinning = CertificatePinning(hosts: [
            CertificatePinning.Host("example.com", .appCertificates(comparing: .certificate)) { $0.isEnforced = false }
        ])

        let host = try #require(try configuration.policy?.hosts.first)

        #expect(host.name == "example.com" && !host.isEnforced)
        #expect(try host.pins == Set(keys[0..<2].map { .certificate(try $0.digest()) }))
    }
}
