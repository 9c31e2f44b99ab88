import FoundationEssentials
import MastheadTransport

/// A body with content codings: the first line is the field that names them.
func checkCodings(_ bytes: [UInt8]) {
    let (field, body) = firstLine(of: bytes)
    checkOwnGzip(of: body)
    guard let codings = try? ContentCoding.list(in: field) else { return }
    claim(codings.count <= 4, "codings are few")
    for limit in [100, 1 << 20] {
        let whole = decoded { () throws(TransportError) in
            try ContentDecoder.decode(Data(body), coded: codings, limit: limit)
        }
        claim(whole.count <= limit, "no more comes out than may")
        claim(decoded(pieces(of: body), codings, limit).isAlike(whole), "in pieces it is the same")
        if body.count <= 256 {
            claim(decoded(body.indices.map { body[$0...$0] }, codings, limit).isAlike(whole), "byte by byte too")
        }
    }
}

/// That what we code comes out as it was, and cut not at all.
private func checkOwnGzip(of body: [UInt8]) {
    guard let coded = try? GzipEncoder.encode(Data(body)) else { return claim(false, "anything can be coded") }
    func outcome(_ coded: Data, limit: Int) -> Decoded {
        decoded { () throws(TransportError) in try ContentDecoder.decode(coded, coded: [.gzip], limit: limit) }
    }
    claim(outcome(coded, limit: body.count) == .body(Data(body)), "what was coded comes out")
    claim(outcome(coded.dropLast(1 + body.count % 8), limit: body.count) == .corrupt, "what is cut is no body")
    if let limit = body.indices.last {
        claim(outcome(coded, limit: limit) == .tooLarge, "a limit holds to the byte")
    }
}

/// What came out of a coded body.
private enum Decoded: Equatable {
    case body(Data)
    case corrupt
    case tooLarge

    var count: Int { if case .body(let data) = self { data.count } else { 0 } }

    /// Whether both are the same body or none: of one that is damaged beyond the limit, the cuts say which is seen first.
    func isAlike(_ other: Decoded) -> Bool {
        self == other || ![self, other].contains { if case .body = $0 { true } else { false } }
    }
}

private func decoded(_ decode: () throws(TransportError) -> Data) -> Decoded {
    do throws(TransportError) {
        return .body(try decode())
    } catch {
        switch error {
        case .corruptBody: return .corrupt
        case .bodyTooLarge: return .tooLarge
        default: fatalError("an error of the wrong kind: \(error)")
        }
    }
}

private func decoded(_ pieces: [ArraySlice<UInt8>], _ codings: [ContentCoding], _ limit: Int) -> Decoded {
    decoded { () throws(TransportError) in
        var decoder = try ContentDecoder(codings)
        var body = Data()
        for piece in pieces {
            try Array(piece).span.withUnsafeBytes { (bytes) throws(TransportError) in
                try decoder.decode(bytes) { (output) throws(TransportError) in
                    claim(output.count <= ContentDecoder.pieceSize, "what comes out at once is little")
                    guard body.count + output.count <= limit else { throw .bodyTooLarge(limit: limit) }
                    body.append(contentsOf: output)
                }
            }
        }
        try decoder.finish()
        return body
    }
}
