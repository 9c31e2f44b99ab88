import Foundation
import Testing

/// nginx over TLS and HTTP/2, with a certificate of its own, in a folder of its own.
struct Nginx: Sendable {
    static let executable = URL(filePath: "/usr/sbin/nginx")
    private static let openssl = URL(filePath: "/usr/bin/openssl")

    let port: Int

    /// The certificate, which is its own authority.
    let certificate: URL

    private let process: PeerProcess
    private let accessLog: URL

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - folder: Where its files go.
    ///   - maps: Directives of the `http` level.
    ///   - locations: Directives of the `server` level.
    /// - Returns: nginx, listening.
    /// - Throws: A ``PeerError``, if nginx or openssl is not there or does not do what it is told.
    static func start(in folder: URL, maps: String = "", locations: String) async throws -> Nginx {
        let certificate = folder.appending(path: "certificate.pem")
        try await PeerProcess.run(
            openssl,
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                + ["-keyout", "key.pem", "-out", "certificate.pem", "-subj", "/CN=localhost"]
                + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            in: folder
        )
        // A port that was free a moment ago may be taken by now: then the next one is tried.
        var last: any Error = PeerError("no port")
        for _ in 0..<10 {
            let port = try Peers.freePort()
            do {
                try configuration(port: port, maps: maps, locations: locations)
                    .write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
                let (process, _) = try await PeerProcess.start(
                    executable,
                    ["-p", folder.path(), "-c", "nginx.conf", "-e", "stderr"],
                    in: folder,
                    // It says so once the socket listens and the worker is about to be there.
                    ready: { $0.contains("start worker processes") ? true : nil }
                )
                let log = folder.appending(path: "access.log")
                return Nginx(port: port, certificate: certificate, process: process, accessLog: log)
            } catch let error as PeerError where error.description.contains("bind()") {
                last = error
            }
        }
        throw last
    }

    /// Stops nginx, which finishes what it has begun.
    ///
    /// - Returns: Each request it answered: protocol, status, request line's target and `Authorization`.
    func stop() async throws -> [Access] {
        await process.stop(SIGQUIT)
        return try String(contentsOf: accessLog, encoding: .utf8).split(separator: "\n").map(Access.init)
    }

    /// One line of the access log.
    struct Access: Sendable, Equatable {
        let version: String
        let status: Int
        let target: String
        let authorization: String
        let preview: String

        fileprivate init(_ line: Substring) throws {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 5)
            (version, target, authorization, preview) = (fields[0], fields[2], fields[3], fields[4])
            status = try #require(Int(fields[1]))
        }
    }

    private static func configuration(port: Int, maps: String, locations: String) -> String {
        """
        daemon off;
        master_process on;
        worker_processes 1;
        pid nginx.pid;
        error_log stderr notice;
        events { worker_connections 256; }
        http {
            log_format masthead '$server_protocol\\t$status\\t$request_uri\\t$http_authorization\\t$http_x_preview_app';
            access_log access.log masthead;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            lingering_close off;
            types { application/json json; text/html html; }
            default_type application/octet-stream;
            gzip on; gzip_types application/json; gzip_min_length 200;
        \(maps)
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate certificate.pem;
                ssl_certificate_key key.pem;
        \(locations)
            }
        }
        """
    }
}

extension Trait where Self == ConditionTrait {
    static var needsNginx: ConditionTrait {
        .enabled(if: Peers.have(Nginx.executable), "needs nginx: \(Peers.hint)")
    }
}
