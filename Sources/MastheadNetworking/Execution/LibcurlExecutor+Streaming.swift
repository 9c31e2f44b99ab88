import FoundationEssentials
import MastheadTransport

extension LibcurlExecutor {
    /// Brings the head, and the body of a refusal; any other body is read as it comes.
    func stream(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let transport = try await Transport.make(configuration, to: request.url)
        let (outgoing, writer) = try TransportRequest.make(of: request, configuration)
        let stream: TransportStream
        do throws(TransportError) {
            stream = try await transport.open(outgoing, clock: configuration.clock)
        } catch {
            writer?.stop()
            throw RepositoryError(error)
        }
        // The request's body may still be under way, and ends with the exchange.
        let reader = BodyReader { () throws(RepositoryError) in
            do throws(TransportError) {
                if let piece = try await stream.next() { return piece }
                writer?.stop()
                return nil
            } catch {
                writer?.stop()
                throw RepositoryError(error)
            }
        }
        let headers = HTTPHeaders(lines: stream.headers)
        var response = HTTPResponse(status: stream.status, headers: headers, url: request.url)
        if response.isAccepted {
            response.reader = reader
        } else {
            response.body = try await reader.rest(limit: configuration.maximumBodySize)
        }
        return response
    }
}
