import BenchmarkSide
import Foundation
import Glibc

/// nginx with a publisher's catalogue: the answers that our side has written into files.
final class CatalogueServer {
    private let process: ChildProcess

    /// The port of HTTP/1.1.
    let port: UInt16

    /// Has the answers written, and starts it.
    ///
    /// - Parameters:
    ///   - programs: Where the programs of the sides are.
    ///   - folder: Where the answers and its files are to be.
    /// - Throws: When it doesn't answer; its log says why.
    init(programs: String, folder: String) throws(BenchError) {
        let workload = LibraryWorkload(task: .record, place: folder, count: 1, entries: 1, source: folder)
        _ = try Programs.result(of: ["\(programs)/bench-library-ours"] + workload.arguments)
        let socket = try ListeningSocket()
        port = socket.port
        let configuration = """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid nginx.pid;
            error_log error.log error;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp; uwsgi_temp_path temp;
                scgi_temp_path temp;
                sendfile on;
                tcp_nopush on;
                open_file_cache max=1024;
                keepalive_requests 1000000000;
                keepalive_timeout 3600s;
                large_client_header_buffers 4 16k;
                default_type application/json;
                root \(folder);
                server {
                    listen 127.0.0.1:\(port);
                    location = /small.json { return 200 '{}'; }
                    location = /volumes { try_files /volumes.json =404; }
                    location = /issues/published { try_files /issues-$arg_page.json =404; }
                    location ~ ^/(issues|articles)/published/since/ { return 200 '{"$1":[]}'; }
                    location ~ "^/(articles|media)/([0-9a-f]+)" { try_files /$1-$2.json =404; }
                }
            }
            """
        do {
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
        } catch {
            throw BenchError("\(folder): \(error)")
        }
        process = try ChildProcess(
            ["nginx", "-p", folder, "-e", "error.log", "-c", "nginx.conf"],
            environment: ["NGINX": "100;"],
            handedOver: [(socket.descriptor, 100)]
        )
        guard WebServer.answers(on: port) else {
            process.stop()
            let log = FileManager.default.contents(atPath: "\(folder)/error.log") ?? Data()
            throw BenchError("nginx doesn't answer: \(String(decoding: log, as: UTF8.self))")
        }
    }

    deinit {
        process.stop()
    }
}
