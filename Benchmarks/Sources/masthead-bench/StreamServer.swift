import Foundation
import Glibc

/// nghttpd with one worker, a server of HTTP/2 that takes a thousand streams on a connection.
final class StreamServer {
    /// How many.
    static let maximumStreams = 1000

    /// The port of HTTP/2 over TLS.
    let port: UInt16

    private let process: ChildProcess

    /// Starts it.
    ///
    /// - Parameters:
    ///   - folder: Where its files are.
    ///   - certificate: What it shows.
    /// - Throws: When it doesn't listen.
    init(folder: String, certificate: Certificate) throws(BenchError) {
        // It takes no socket from others, so its port is one that was free a moment ago.
        port = try ListeningSocket().port
        process = try ChildProcess([
            "nghttpd", "--address", "127.0.0.1", "--htdocs", folder,
            "--max-concurrent-streams", "\(Self.maximumStreams)", "\(port)", certificate.keyFile, certificate.file,
        ])
        let patience = Date(timeIntervalSinceNow: 10)
        while !Self.listens(on: port) {
            guard Date() < patience else {
                process.stop()
                throw BenchError("nghttpd doesn't listen on port \(port)")
            }
            usleep(10_000)
        }
    }

    private static func listens(on port: UInt16) -> Bool {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_in.loopback(port: port)
        return withUnsafeSockaddr(&address) { connect(client, $0, $1) == 0 }
    }

    deinit {
        process.stop()
    }
}
