import FoundationEssentials
import Glibc
import MastheadNetworking

/// The file an app's environments stand in: written for this run, since the publisher's ports and keys are new.
struct Environments {
    /// Where the file is.
    let path: String

    /// A folder of this run's own.
    let folder: String

    init(_ addresses: PublisherProcess.Addresses) throws(Tour.Stop) {
        var template = Array("/tmp/masthead-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Tour.Stop(message: "no folder for temporary files") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = folder + "/masthead.json"
        let file = File(
            timeout: 5,
            environments: [
                "production": try Self.server(addresses.production), "staging": try Self.server(addresses.staging),
            ]
        )
        guard let data = try? JSONEncoder().encode(file), (try? data.write(to: URL(filePath: path))) != nil else {
            throw Tour.Stop(message: "\(path) cannot be written")
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private struct File: Encodable {
        let timeout: Int
        let environments: [String: Server]
    }

    private struct Server: Encodable {
        let domainURL: String
        let port: Int?
        let useSecureConnection: Bool
        let clientKey: String
    }

    private static func server(_ environment: PublisherProcess.Addresses.Environment) throws(Tour.Stop) -> Server {
        guard let url = URL(string: environment.url), let host = url.host else {
            throw Tour.Stop(message: "the publisher gave an address that is none")
        }
        return Server(
            domainURL: host,
            port: url.port,
            useSecureConnection: url.scheme == "https",
            clientKey: environment.clientKey
        )
    }
}
