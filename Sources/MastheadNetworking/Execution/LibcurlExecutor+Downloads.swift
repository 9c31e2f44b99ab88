import FoundationEssentials
import MastheadTransport

extension LibcurlExecutor {
    /// Brings the body into a file, and that of a refusal into memory.
    ///
    /// A server that takes a range for less than it asks for, or for something else, is asked again until the file is
    /// whole; each time there is more of it, and it begins anew once at most.
    func download(
        _ request: HTTPRequest,
        into file: PartFile,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let transport = try await Transport.make(configuration, to: request.url)
        let end = request.timeout.map { configuration.time.now + $0 }
        var isFirst = true
        while true {
            try request.binding?.check()
            var attempt = isFirst ? request : try await request.again(for: file, configuration)
            isFirst = false
            attempt.timeout = end.map { $0 - configuration.time.now }
            let (outgoing, writer) = try TransportRequest.make(of: attempt, configuration)
            defer { writer?.stop() }
            let response: TransportResponse
            do throws(TransportError) {
                let target = file.target { configuration.time.date }
                response = try await transport.download(outgoing, into: target, clock: configuration.clock)
            } catch {
                guard file.mustRestart else { throw RepositoryError(error) }
                continue
            }
            if try file.isUnfinished() { continue }
            var answer = HTTPResponse(response, url: request.url)
            answer.arrival = file.arrival
            // The server had nothing to add to what is there.
            if answer.arrival != nil, answer.status == 416 { answer.status = 206 }
            return answer
        }
    }
}
