import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

struct MediaTests {
    private func asset(cdn: String = "", origin: String = "") -> Asset {
        Asset(
            id: "m1",
            cdnURL: URL(string: cdn),
            url: URL(string: origin),
            cdnThumbnailURL: URL(string: cdn),
            thumbnailURL: URL(string: origin)
        )
    }

    /// A repository with every header that must not get out.
    private func repository(_ api: ScriptedServer) -> AssetRepository {
        let configuration = api.catalogue {
            $0.subdomainURL = "/v2"
            $0.defaultHeaders = ["X-Api-Key": "s3cret", "Cookie": "a=s3cret", "X-Own": "s3cret"]
            $0.interceptor = Talkative()
        }
        return AssetRepository(configuration: configuration, showsPreviews: true)
    }

    private struct Talkative: RequestInterceptor {
        func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
            request.headers["X-Session"] = "s3cret"
        }
    }

    @Test("sends no secret to a media host, and the URL as it is")
    func noSecrets() async throws {
        let api = try ScriptedServer()
        defer { api.stop() }
        let media = try ScriptedServer(.text("picture"), .text("thumb"))
        defer { media.stop() }
        let url = "\(media.baseURL)/m/lamp~1%2B.jpg?Signature=a%7Eb+c&e=1#part"

        let assets = repository(api)
        #expect(try await assets.data(of: asset(cdn: url)).get() == Data("picture".utf8))
        #expect(try await assets.thumbnailData(of: asset(cdn: url)).get() == Data("thumb".utf8))

        #expect(api.requests.isEmpty)
        #expect(media.requests.count == 2)
        for request in media.requests {
            #expect(request.method == "GET")
            #expect(request.target == "/m/lamp~1%2B.jpg?Signature=a%7Eb+c&e=1")
            for name in ["Authorization", "X-Preview-App", "X-Api-Key", "Cookie", "X-Own", "X-Session"] {
                #expect(request.headers[name] == nil)
            }
            #expect(!request.headers.fields.contains { $0.value.contains("s3cret") || $0.value.contains("k3y") })
        }
    }

    @Test("sends no secret to a media file on the API's own host")
    func ownHost() async throws {
        let api = try ScriptedServer(.text("picture"))
        defer { api.stop() }
        _ = try await repository(api).data(of: asset(cdn: "\(api.baseURL)/lamp.jpg")).get()
        let request = try await api.request(0)
        #expect(request.target == "/lamp.jpg")
        #expect(request.headers["Authorization"] == nil)
    }

    @Test("falls back to the publisher's host when the distribution network fails", arguments: [404, 403, 500, 204])
    func fallsBack(status: Int) async throws {
        let api = try ScriptedServer()
        defer { api.stop() }
        let cdn = try ScriptedServer(.status(status))
        defer { cdn.stop() }
        let origin = try ScriptedServer(.text("picture"))
        defer { origin.stop() }
        let asset = asset(cdn: "\(cdn.baseURL)/a", origin: "\(origin.baseURL)/b")
        #expect(try await repository(api).data(of: asset).get() == Data("picture".utf8))
        #expect(cdn.requests.map(\.target) == ["/a"])
        #expect(origin.requests.map(\.target) == ["/b"])
        #expect(origin.requests.first?.headers["Authorization"] == nil)
    }

    @Test("takes the publisher's host where there is no distribution network")
    func withoutNetwork() async throws {
        let api = try ScriptedServer()
        defer { api.stop() }
        let origin = try ScriptedServer(.text("picture"))
        defer { origin.stop() }
        #expect(try await repository(api).data(of: asset(origin: "\(origin.baseURL)/b")).get() == Data("picture".utf8))
    }

    @Test("says what went wrong at the last URL")
    func bothFail() async throws {
        let api = try ScriptedServer()
        defer { api.stop() }
        let cdn = try ScriptedServer(.status(500))
        defer { cdn.stop() }
        let origin = try ScriptedServer(.status(404))
        defer { origin.stop() }
        let asset = asset(cdn: "\(cdn.baseURL)/a", origin: "\(origin.baseURL)/b")
        guard case .requestError(let refusal) = await repository(api).data(of: asset).error else {
            Testing.Issue.record("expected a refusal")
            return
        }
        #expect(refusal.status == 404)
    }

    @Test("says when there is no file")
    func withoutFile() async throws {
        let api = try ScriptedServer()
        defer { api.stop() }
        guard case .customError(AssetError.withoutFile) = await repository(api).data(of: Asset(id: "m")).error else {
            Testing.Issue.record("expected a custom error")
            return
        }
        #expect(api.requests.isEmpty)
    }

    @Test(
        "refuses a host that cannot be asked, and blames the URL",
        arguments: ["https://b%2Fc.example/a", "https://1.2.3/a", "https://a..b/c"]
    )
    func impossibleHost(url: String) async throws {
        let api = try ScriptedServer()
        defer { api.stop() }
        guard case .invalidURL = await repository(api).data(of: asset(cdn: url)).error else {
            Testing.Issue.record("expected an invalid URL")
            return
        }
    }

    @Test("goes the way that the configuration says")
    func route() async throws {
        let media = try ScriptedServer(.text("cover"))
        defer { media.stop() }
        let configuration = media.catalogue {
            $0.route.addresses = ["b\u{FC}cher.invalid": "127.0.0.1:\(media.port)"]
        }
        let result = await AssetRepository(configuration: configuration)
            .data(of: asset(cdn: "http://b%C3%BCcher.invalid/a"))
        #expect(try result.get() == Data("cover".utf8))
        #expect(media.requests.map { $0.headers["Host"] } == ["xn--bcher-kva.invalid"])
    }

    @Test("takes no file that is bigger than the limit of a body")
    func tooLarge() async throws {
        let media = try ScriptedServer(.generated(byteCount: 5000))
        defer { media.stop() }
        let configuration = media.catalogue { $0.maximumBodySize = 4999 }
        let result = await AssetRepository(configuration: configuration).data(of: asset(cdn: "\(media.baseURL)/a"))
        guard case .bodyTooLarge(let limit) = result.error else {
            Testing.Issue.record("expected the limit")
            return
        }
        #expect(limit == 4999)
    }
}
