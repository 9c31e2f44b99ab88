import MastheadLock

extension AbstractRepository {
    /// Makes the call and hands over the answer with its head; the body is read as it comes.
    ///
    /// ```swift
    /// let response = try await performStreaming(.get("export.csv")).get()
    /// for try await line in response.lines() { importer.add(line) }
    /// ```
    ///
    /// Statuses are judged as for every other call; the body of a refusal comes whole, in the error. A whole call's
    /// deadline, if there is one, holds until the body has ended, ``NetworkingConfiguration/timeout`` for each pause of
    /// the server's; a pause of the reader's has no limit. ``NetworkingConfiguration/maximumBodySize`` does not hold.
    public final func performStreaming(
        _ request: Request<ResponseStream>
    ) async -> Result<ResponseStream, RepositoryError> {
        await pipeline.run(request, polls: false, delivery: .stream, prepare: prepare) {
            (response) throws(RepositoryError) in
            ResponseStream(response)
        }
    }

    /// The events of a server, over as many answers as it takes.
    ///
    /// ```swift
    /// for try await event in events(.get("issues/changes")) { show(event.data) }
    /// ```
    ///
    /// Nothing is asked before the first event is. Each attempt is a call as any other, with `Accept: text/event-stream`
    /// unless the request says otherwise, and with `Last-Event-ID` from the second on.
    ///
    /// - Parameters:
    ///   - request: What to ask; its `timeout` limits each answer.
    ///   - limit: How many bytes one event may have; a longer one ends in ``RepositoryError/bodyTooLarge(limit:)``.
    /// - Returns: The events; nothing is asked before the first is wanted.
    public final func events(_ request: Request<ResponseStream>, limit: Int = 1 << 20) -> ServerSentEvents {
        // What one session's attempts got, no other session's may go on with.
        let number = Lock<Int?>(nil)
        return ServerSentEvents(
            open: { [self] lastEventID in
                var request = request
                request.onlySession = number.withLock { number in
                    number = number ?? pipeline.session?.grant?.session
                    return number
                }
                request.headers.merge(defaults: ["Accept": "text/event-stream", "Cache-Control": "no-store"])
                if !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
                return await performStreaming(request)
            },
            time: configuration.time,
            limit: limit
        )
    }
}
