import Foundation
import MastheadNetworking

/// The sample payloads of the catalogue, served by nginx at the paths of its API.
enum MagnetNginx {
    static let samples = Peers.samples.appending(path: "magnet")
    static let clientKey = "peer-client-key"

    /// Runs `body` with the catalogue's configuration.
    ///
    /// - Parameters:
    ///   - namesItself: Whether the links between pages lead to this server, if by `http`, instead of to the sample's.
    ///   - body: What to ask.
    /// - Returns: What nginx logged: one entry for each request.
    /// - Throws: What `body` throws, or a ``PeerError``.
    static func serve(
        namesItself: Bool = true,
        _ body: (NetworkingConfiguration) async throws -> Void
    ) async throws -> [Nginx.Access] {
        try await withTemporaryFolder { folder in
            let nginx = try await Nginx.start(
                in: folder,
                maps: maps,
                locations: (namesItself ? ownLinks : "") + locations
            )
            let configuration = NetworkingConfiguration(domainURL: "127.0.0.1", port: nginx.port) {
                $0.certificateAuthorityFile = nginx.certificate.path()
                $0.clientKey = Secret(clientKey)
            }
            do {
                try await body(configuration)
            } catch {
                _ = try? await nginx.stop()
                throw error
            }
            return try await nginx.stop()
        }
    }

    // Which file answers for which path; the list of articles has a second page, which is empty.
    private static let maps = """
        map $http_authorization $allowed {
            default no;
            "method=clientkey,token=\(clientKey)" yes;
        }
        map $uri $sample {
            default "";
            /volumes volumes.list.json;
            ~^/volumes/sku/[^/]+$ volumes.detail.json;
            ~^/volumes/[^/,]+$ volumes.detail.json;
            ~^/issues(/(published|preview)(/since/[^/]+)?)?$ issues.published.json;
            ~^/issues/sku/[^/]+$ issues.detail.json;
            ~^/issues/[^/,]+(/since/[^/]+)?$ issues.detail.json;
            ~^/articles(/(published|preview))?(/since/[^/]+)?$ articles.list.json;
            ~^/articles/sku/[^/]+$ articles.detail.json;
            ~^/articles/[^/]+/[^/]+$ articles.list.json;
            ~^/articles/[^/]+,[^/]+$ articles.batch.json;
            ~^/articles/[^/]+$ articles.detail.json;
            ~^/media/[^/]+,[^/]+$ media.batch.json;
            ~^/media/[^/]+$ media.detail.json;
            /api/1.5/serial/email subscriber.skus.json;
        }
        """

    private static let ownLinks = """
        sub_filter_types application/json;
        sub_filter 'http://api.example.org' 'http://127.0.0.1:$server_port';

        """

    private static let locations = """
        root "\(samples.path())";
        location / {
            if ($allowed = no) { return 401 '{"status": 401}'; }
            if ($sample = "") { return 404 '{"status": 404}'; }
            if ($arg_page = 2) { return 200 '{"articles": [], "meta": {"pagination": {"next": null}}}'; }
            rewrite ^ /$sample break;
        }
        location /api/ {
            if ($sample = "") { return 404; }
            rewrite ^ /$sample break;
        }
        """
}
