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
        let (outgoing, writer) = try TransportRequest.make(of: request, configuration)
        defer { writer?.cancel() }
        do throws(TransportError) {
            let response = try await Transport(policy: TrustPolicy(configuration)).perform(
                outgoing,
                clock: ClockOfTime(time: configuration.time)
            )
            return HTTPResponse(
                status: response.status,
                headers: HTTPHeaders(response.headers),
                body: response.body,
                url: request.url
            )
        } catch {
            throw RepositoryError(error)
        }
    }
}

/// The configuration's time, as the transport sees it.
struct ClockOfTime: TransportClock {
    let time: any TimeSource

    var now: Duration { time.now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        time.onTurn(action)
    }
}
