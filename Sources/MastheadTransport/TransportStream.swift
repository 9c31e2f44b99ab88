package import FoundationEssentials

/// An answer whose body comes as it is asked for.
///
/// One task at a time reads it. Letting go of it, or cancelling the task that waits for a piece, ends the exchange.
package final class TransportStream: Sendable {
    package let status: Int
    package let headers: [HeaderField]
    package let version: TransportResponse.Version

    private let channel: BodyChannel
    private let exchange: OpenExchange
    private let decoder: StreamDecoder?

    init(
        _ response: TransportResponse,
        channel: BodyChannel,
        exchange: OpenExchange,
        request: TransportRequest
    ) throws(TransportError) {
        status = response.status
        headers = response.headers
        version = response.version
        self.channel = channel
        self.exchange = exchange
        let codings = try response.codings(for: request)
        decoder = codings.isEmpty ? nil : try StreamDecoder(codings)
    }

    /// The next piece of the body, its codings undone; `nil` after the last.
    package func next() async throws(TransportError) -> Data? {
        let exchange = exchange
        guard !Task.isCancelled else {
            exchange.end()
            throw .cancelled
        }
        let result: Result<Data?, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                if let decoder { return .success(try await decoder.next(of: channel)) }
                return .success(try await channel.next())
            } catch {
                exchange.end()
                return .failure(error)
            }
        } onCancel: {
            exchange.end()
        }
        return try result.get()
    }
}

/// Ends an exchange that nobody waits for any more.
final class OpenExchange: Sendable {
    private let ending: @Sendable () -> Void

    init(_ ending: @escaping @Sendable () -> Void) {
        self.ending = ending
    }

    deinit {
        ending()
    }

    /// Ends it; once it is over this does nothing.
    func end() {
        ending()
    }
}
