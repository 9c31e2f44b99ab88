import FoundationEssentials
import MastheadTransport

/// The default executor: HTTP/1.1 and HTTP/2 over libcurl.
///
/// Every repository whose configuration trusts the same authorities and has the same route shares one thread, one pool of
/// connections and one cache of TLS sessions in the whole process. No cookie is kept, and no proxy, password file or key
/// log is taken from the environment.
///
/// ```swift
/// let volumes = VolumeRepository(configuration: .production, executor: LibcurlExecutor())
/// ```
///
/// Safe to use from any task. Cancelling the task ends the exchange at once.
public struct LibcurlExecutor: RequestExecutor {
    /// Makes an executor; it holds nothing of its own, so any number of them is one.
    public init() {}

    /// Makes one exchange, and brings its body as the call wants it: whole, piece by piece, or into a file.
    public func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        switch request.delivery {
        case .whole: try await fetch(request, configuration)
        case .stream: try await stream(request, configuration)
        case .file(let file): try await download(request, into: file, configuration)
        }
    }

    private func fetch(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let transport =
            if let known = try Transport.known(configuration, to: request.url) {
                known
            } else {
                try await Transport.make(configuration, to: request.url)
            }
        let (outgoing, writer) = try TransportRequest.make(of: request, configuration)
        defer { writer?.stop() }
        do throws(TransportError) {
            let response = try await transport.perform(outgoing, clock: configuration.clock)
            return HTTPResponse(response, url: request.url)
        } catch {
            throw RepositoryError(error)
        }
    }
}

extension HTTPResponse {
    init(_ response: TransportResponse, url: URL) {
        self.init(
            status: response.status,
            headers: HTTPHeaders(lines: response.headers),
            body: response.body,
            url: url
        )
    }
}

extension NetworkingConfiguration {
    var clock: any TransportClock { wire?.clock ?? Wire.clock(of: time) }
}

/// The configuration's time, as the transport sees it.
struct ClockOfTime: TransportClock {
    let time: any TimeSource

    var now: Duration { time.now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        time.onTurn(action)
    }
}
