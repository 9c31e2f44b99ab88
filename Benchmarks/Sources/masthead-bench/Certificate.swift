import Foundation

/// A certificate for 127.0.0.1, made on the spot, and the files in which a client finds it trusted.
struct Certificate: Sendable {
    /// The bundle of Debian and its kin, which libcurl and URLSession read.
    static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"

    /// The private key, in PEM.
    let keyFile: String

    /// The certificate, in PEM; it is its own authority, so this file is also the smallest bundle.
    let file: String

    /// The pin of its key, `sha256/` and Base64, and a second one that no key has.
    let pinsFile: String

    /// The system's authorities and this one.
    let fullBundle: String

    init(in workspace: Workspace) throws(BenchError) {
        keyFile = "\(workspace.path)/key.pem"
        file = "\(workspace.path)/certificate.pem"
        let arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyFile, "-out", file,
        ]
        _ = try Command.run(arguments, seconds: 30)
        guard let own = FileManager.default.contents(atPath: file) else { throw BenchError("\(file): not readable") }
        let key = "openssl pkey -in \"$1\" -pubout -outform der | openssl dgst -sha256 -binary | base64"
        let digest = try Command.run(["sh", "-c", key, "sh", keyFile], seconds: 30)
        let spare = Data(repeating: 7, count: 32).base64EncodedString()
        let pins = "sha256/\(String(decoding: digest, as: UTF8.self))sha256/\(spare)\n"
        pinsFile = try workspace.write(Data(pins.utf8), to: "pins.txt")
        let system = FileManager.default.contents(atPath: Self.systemBundle) ?? Data()
        fullBundle = try workspace.write(system + own, to: "bundle.pem")
    }
}
