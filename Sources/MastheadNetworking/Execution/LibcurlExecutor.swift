import FoundationEssentials
import MastheadTransport

/// The default executor: HTTP/1.1 and HTTP/2 over libcurl.
///
/// Every repository whose configuration trusts the same authorities shares one thread, one pool of connections and one
/// cache of TLS sessions in the whole process. No cookie is kept, and no proxy, password file or key log is taken from
/// the environment.
///
/// ```swift
/// let volumes = VolumeRepository(configuration: .production, executor: LibcurlExecutor())
/// ```
///
/// Safe to use from any task. Cancelling the task ends the exchange at once.
public struct LibcurlExecutor: RequestExecutor {
    /// Makes an executor; it holds nothing of its own, so any number of them is one.
    public init() {}

    public func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let policy = TrustPolicy(certificateAuthorityFile: configuration.certificateAuthorityFile)
        let response: TransportResponse
        do throws(TransportError) {
            response = try await Transport(policy: policy).perform(
                TransportRequest(request, configuration),
                clock: ClockOfTime(time: configuration.time)
            )
        } catch {
            throw RepositoryError(error)
        }
        return HTTPResponse(
            status: response.status,
            headers: HTTPHeaders(response.headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) }),
            body: response.body,
            url: request.url
        )
    }
}

/// The configuration's time, as the transport sees it.
private struct ClockOfTime: TransportClock {
    let time: any TimeSource

    var now: Duration { time.now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        time.onTurn(action)
    }
}

extension TransportRequest {
    fileprivate init(_ request: HTTPRequest, _ configuration: NetworkingConfiguration) {
        self.init(
            method: request.method.rawValue,
            url: request.url.absoluteString,
            headers: request.headers.fields.map { HeaderField(name: $0.name, value: $0.value) },
            body: request.body
        )
        limits.connectTimeout = configuration.connectionTimeout
        limits.idleTimeout = configuration.timeout
        limits.totalTimeout = request.timeout
        limits.maximumBodySize = configuration.maximumBodySize
        limits.maximumConnectionsPerHost = configuration.maximumConnectionsPerHost
    }
}

extension RepositoryError {
    /// What an error of the transport means to an app.
    init(_ error: TransportError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .invalidURL(let reason): .invalidURL(reason: reason)
            case .invalidRequest(let reason): .invalidRequest(reason: reason)
            case .noNetwork: .noNetworkConnection
            case .dns(let host): .dns(host: host)
            case .refused(let host): .refused(host: host)
            case .tls(let reason): .tls(reason: reason)
            case .connectTimeout: .timeout(.connect)
            case .idleTimeout: .timeout(.idle)
            case .totalTimeout: .timeout(.total)
            case .connectionLost: .connectionLost
            case .invalidResponse(let reason): .invalidResponse(reason: reason)
            case .incompleteBody(let received, let expected): .incompleteBody(received: received, expected: expected)
            case .corruptBody(let reason): .corruptBody(reason: reason)
            case .bodyTooLarge(let limit): .bodyTooLarge(limit: limit)
            case .setup(let reason): .invalidConfiguration(reason: "libcurl: \(reason)")
            }
    }
}
