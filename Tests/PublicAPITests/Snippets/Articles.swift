import Foundation
import MastheadNetworking

// What the articles of MastheadNetworking take for granted.
nonisolated private struct Volume: Decodable, Sendable {
    typealias ID = String
}

nonisolated private struct Order: Encodable, Sendable {}

nonisolated private struct Receipt: Decodable, Sendable {}

nonisolated private struct Catalogue: Sendable {
    init?(text: Data) {
        if text.isEmpty { return nil }
    }
}

nonisolated private func report(_ model: String, _ codingPath: String, _ snippet: String) {}
nonisolated private func report(_ error: RepositoryError) {}
nonisolated private func show(_ volume: Volume) {}
nonisolated private func showWithdrawn() {}
nonisolated private func showOffline() {}

nonisolated private func report(_ failure: DecodingFailure) {}

// snippet
extension NetworkingConfiguration {
    static let api = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2") {
        $0.timeout = .seconds(20)
    }
}
// end

nonisolated private func configurationFile() throws {
    // snippet
    let configuration = try NetworkingConfiguration(contentsOf: "masthead.json") {
        $0.onDecodingFailure = { report($0) }
    }
    // end
    _ = configuration
}

nonisolated private func decoding() {
    // snippet
    let catalogue = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.decoder = .masthead  // the default; `.foundation` for Foundation's
        $0.decoding.keys = .convertFromSnakeCase
        $0.decoding.dates = .iso8601
    }
    // end
    _ = catalogue
}

nonisolated private func overview() async {
    // snippet
    let production = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2") {
        $0.timeout = .seconds(20)
        $0.onDecodingFailure = { report($0.model, $0.codingPath, $0.snippet) }
    }

    enum VolumeError: String, CustomRepositoryError { case unknownVolume, withdrawn }

    final class VolumeRepository: AbstractRepository, @unchecked Sendable {
        func volume(_ id: Volume.ID) async -> Result<Volume, RepositoryError> {
            await perform(.get("volumes/\(id)"))
                .mapCustomError([404: VolumeError.unknownVolume, 410: VolumeError.withdrawn])
        }
    }

    switch await VolumeRepository(configuration: production).volume("orbit") {
    case .success(let volume): show(volume)
    case .failure(.customError(VolumeError.withdrawn)): showWithdrawn()
    case .failure(.noNetworkConnection): showOffline()
    case .failure(let error): report(error)
    }
    // end
}

nonisolated private final class OrderRepository: AbstractRepository, @unchecked Sendable {
    // snippet
    enum OrderError: String, CustomRepositoryError { case soldOut, expired, conflict }

    func order(_ order: Order) async -> Result<Receipt, RepositoryError> {
        await perform(.post("orders", body: .json(order)))
            .mapCustomError(at: "/error/code", [40: OrderError.soldOut, "expired": OrderError.expired])
            .mapCustomError([409: OrderError.conflict])
    }
    // end
}

nonisolated private final class CatalogueRepository: AbstractRepository, @unchecked Sendable {
    // snippet
    func catalogue() async -> Result<Catalogue, RepositoryError> {
        await performRaw(.get("catalogue.txt")).flatMap { response in
            guard let catalogue = Catalogue(text: response.body) else {
                return .failure(.decodeError(DecodingFailure(model: "Catalogue", reason: "no catalogue's first line")))
            }
            return .success(catalogue)
        }
    }
    // end
}

nonisolated private final class BookingRepository: AbstractRepository, @unchecked Sendable {
    private let importer = Importer()
    private let progress = ProgressBar()

    // snippet
    func importBookings() async throws {
        let response = try await performStreaming(.get("bookings.csv")).get()
        for try await line in response.lines() { importer.add(line) }
    }
    // end

    func follow(reload: (String) -> Void) async throws {
        // snippet
        for try await event in events(.get("issues/changes")) where event.event == "published" {
            reload(event.data)
        }
        // end
    }

    func bundle(_ id: String, to path: String, digest: String) async -> Result<DownloadedFile, RepositoryError> {
        let progress = progress
        // snippet
        let result = await download(
            .get("issues/\(id)/bundle.zip"),
            to: path,
            checksum: .sha256(digest),
            onProgress: { progress.show($0.fraction ?? 0) }
        )
        // end
        return result
    }

    func publish(_ title: String, cover: String) async -> Result<Void, RepositoryError> {
        let progress = progress
        // snippet
        let form: MultipartForm = [
            .field("title", title),
            .file("cover", path: cover, contentType: "image/png"),
        ]
        let body = RequestBody.multipart(form).onProgress { progress.show($0.fraction ?? 0) }
        return await perform(.post("issues", body: body))
        // end
    }
}

nonisolated private struct Importer: Sendable {
    func add(_ line: String) {}
}

nonisolated private struct ProgressBar: Sendable {
    func show(_ fraction: Double) {}
}
