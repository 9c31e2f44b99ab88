import FoundationEssentials

/// Undoes the codings of a body that comes in pieces, off the actor that asks for them.
actor StreamDecoder {
    private var decoder: ContentDecoder
    private var pending = Data()
    /// Why there is no more to be had.
    private var failure: TransportError?

    init(_ codings: [ContentCoding]) throws(TransportError) {
        decoder = try ContentDecoder(codings)
    }

    /// The next piece; `nil` after the last, when the coding has ended as it should.
    func next(of channel: BodyChannel) async throws(TransportError) -> Data? {
        if let failure { throw failure }
        do throws(TransportError) {
            while true {
                if let piece = try decodePending() { return piece }
                guard let chunk = try await channel.next() else {
                    try decoder.finish()
                    return nil
                }
                pending = chunk
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// What comes next out of what has arrived: a piece at a time, since a few bytes may stand for gigabytes.
    private func decodePending() throws(TransportError) -> Data? {
        let bytes = pending
        // `withUnsafeBytes` doesn't carry a typed error: a result does.
        let result: Result<(piece: Data?, left: Int), TransportError> = bytes.withUnsafeBytes { bytes in
            do throws(TransportError) {
                var input = bytes
                let piece = try decoder.next(from: &input).map { Data($0) }
                return .success((piece, input.count))
            } catch {
                return .failure(error)
            }
        }
        let (piece, left) = try result.get()
        pending = bytes.suffix(left)
        return piece
    }
}
