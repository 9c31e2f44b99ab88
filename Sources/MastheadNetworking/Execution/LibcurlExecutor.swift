import FoundationEssentials
import MastheadTransport

/// The default executor: HTTP/1.1 and HTTP/2 over libcurl.
///
/// Every repository whose configuration trusts the same authorities and has the same route shares one thread, one pool of connections and one
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
        let transport = try Transport(configuration, to: request.url)
        let (outgoing, writer) = try TransportRequest.make(of: request, configuration)
        defer { writer?.cancel() }
        do throws(TransportError) {
            let response = try await transport.perform(outgoing, clock: configuration.clock)
            return HTTPResponse(response, url: request.url)
        } catch {
            throw RepositoryError(error)
        }
    }

    /// Brings the head, and the body of a refusal; any other body is read as it comes.
    private func stream(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let transport = try Transport(configuration, to: request.url)
        let (outgoing, writer) = try TransportRequest.make(of: request, configuration)
        let stream: TransportStream
        do throws(TransportError) {
            stream = try await transport.open(outgoing, clock: configuration.clock)
        } catch {
            writer?.cancel()
            throw RepositoryError(error)
        }
        let reader = BodyReader { () throws(RepositoryError) in
            do throws(TransportError) {
                return try await stream.next()
            } catch {
                throw RepositoryError(error)
            }
        }
        var response = HTTPResponse(status: stream.status, headers: HTTPHeaders(stream.headers), url: request.url)
        if response.isAccepted {
            response.reader = reader
        } else {
            response.body = try await reader.rest(limit: configuration.maximumBodySize)
        }
        return response
    }

    /// Brings the body into a file, and that of a refusal into memory.
    private func download(
        _ request: HTTPRequest,
        into file: PartFile,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let transport = try Transport(configuration, to: request.url)
        let name = Redaction(configuration).url(request.url)
        let (plain, writer) = try TransportRequest.make(of: request, configuration)
        defer { writer?.cancel() }
        while true {
            var outgoing = plain
            let added = await OwnThread.run { file.headers(for: name) }
            outgoing.headers.removeAll { added[$0.name] != nil }
            outgoing.headers += added.fields.map { HeaderField(name: $0.name, value: $0.value) }
            do throws(TransportError) {
                let target = file.target { configuration.time.date }
                let response = try await transport.download(
                    outgoing,
                    into: target,
                    clock: configuration.clock
                )
                var answer = HTTPResponse(response, url: request.url)
                // The server has nothing to add to what is there.
                if file.isWhole { answer.status = 206 }
                return answer
            } catch {
                // At most once: whoever asks from the beginning is not told to begin again.
                guard file.mustRestart else { throw RepositoryError(error) }
            }
        }
    }
}

extension HTTPResponse {
    fileprivate init(_ response: TransportResponse, url: URL) {
        self.init(
            status: response.status,
            headers: HTTPHeaders(response.headers),
            body: response.body,
            url: url
        )
    }
}

extension Transport {
    fileprivate init(_ configuration: NetworkingConfiguration, to url: URL) throws(RepositoryError) {
        self.init(policy: TrustPolicy(configuration), route: try TransportRoute(configuration.route, to: url))
    }
}

extension NetworkingConfiguration {
    fileprivate var clock: any TransportClock { ClockOfTime(time: time) }
}

/// The configuration's time, as the transport sees it.
struct ClockOfTime: TransportClock {
    let time: any TimeSource

    var now: Duration { time.now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        time.onTurn(action)
    }
}
