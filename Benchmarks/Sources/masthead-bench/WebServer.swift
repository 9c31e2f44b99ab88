import Foundation
import Glibc

/// nginx with one worker, as the server of every side: plain, with TLS, and with TLS and HTTP/2.
final class WebServer {
    /// The folder, within its own, into which it writes the bodies that it is sent.
    static let bodies = "bodies"

    private let process: ChildProcess
    /// The port of HTTP/1.1.
    let plainPort: UInt16

    /// The port of HTTP/1.1 over TLS.
    let securePort: UInt16

    /// The port of HTTP/1.1 over TLS that makes every client shake hands for every request.
    let handshakePort: UInt16

    /// The port of HTTP/2 over TLS.
    let http2Port: UInt16

    /// Starts it.
    ///
    /// - Parameters:
    ///   - folder: Where its files are, and where it may write.
    ///   - certificate: What it shows over TLS.
    ///   - small: The body of `/small.json`, which it answers from its memory.
    /// - Throws: When it doesn't answer; its log says why.
    init(folder: String, certificate: Certificate, small: String) throws(BenchError) {
        let plain = try ListeningSocket()
        let secure = try ListeningSocket()
        let http2 = try ListeningSocket()
        let handshake = try ListeningSocket()
        (plainPort, securePort, http2Port, handshakePort) = (plain.port, secure.port, http2.port, handshake.port)
        let tls = "ssl_certificate \(certificate.file); ssl_certificate_key \(certificate.keyFile);"
        let configuration = """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid nginx.pid;
            error_log error.log error;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path \(Self.bodies);
                proxy_temp_path temp; fastcgi_temp_path temp; uwsgi_temp_path temp; scgi_temp_path temp;
                sendfile on;
                tcp_nopush on;
                open_file_cache max=16;
                keepalive_requests 1000000000;
                keepalive_timeout 3600s;
                ssl_protocols TLSv1.2 TLSv1.3;
                default_type application/json;
                add_header X-Protocol $server_protocol;
                root .;
                server { listen 127.0.0.1:\(plainPort); include resources.conf; }
                server { listen 127.0.0.1:\(securePort) ssl; \(tls) include resources.conf; }
                server { listen 127.0.0.1:\(http2Port) ssl http2; \(tls) include resources.conf; }
                server {
                    listen 127.0.0.1:\(handshakePort) ssl; \(tls)
                    keepalive_timeout 0; ssl_session_cache off; ssl_session_tickets off;
                    include resources.conf;
                }
            }
            """
        // An upload is answered when all of it is in a file, which is left for the driver to look at: only then does
        // nginx ask the upstream, itself.
        let resources = """
            location = /small.json { return 200 '\(small)'; }
            location = /upload {
                client_max_body_size 0;
                client_body_buffer_size 512k;
                client_body_in_file_only on;
                proxy_method GET;
                proxy_pass_request_body off;
                proxy_set_header Content-Length "";
                proxy_hide_header X-Protocol;
                proxy_pass http://127.0.0.1:\(plainPort)/small.json;
            }
            """
        do {
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
            try Data(resources.utf8).write(to: URL(fileURLWithPath: "\(folder)/resources.conf"))
        } catch {
            throw BenchError("\(folder): \(error)")
        }
        // nginx takes the sockets it finds listed in NGINX for those of its configuration.
        process = try ChildProcess(
            ["nginx", "-p", folder, "-e", "error.log", "-c", "nginx.conf"],
            environment: ["NGINX": "100;101;102;103;"],
            handedOver: [
                (plain.descriptor, 100), (secure.descriptor, 101), (http2.descriptor, 102), (handshake.descriptor, 103),
            ]
        )
        guard Self.answers(on: plainPort) else {
            process.stop()
            let log = FileManager.default.contents(atPath: "\(folder)/error.log") ?? Data()
            throw BenchError("nginx doesn't answer: \(String(decoding: log, as: UTF8.self))")
        }
    }

    /// Whether a request over a bare socket is answered within 10 seconds.
    static func answers(on port: UInt16) -> Bool {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in.loopback(port: port)
        let isConnected = withUnsafeSockaddr(&address) { connect(client, $0, $1) == 0 }
        let request = "HEAD /small.json HTTP/1.0\r\n\r\n"
        var answer = [UInt8](repeating: 0, count: 12)
        guard isConnected, send(client, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0,
            recv(client, &answer, answer.count, 0) == answer.count
        else { return false }
        return String(decoding: answer, as: UTF8.self).hasSuffix(" 200")
    }

    deinit {
        process.stop()
    }
}
