import FoundationEssentials

/// Gives a request's body to libcurl, piece by piece, on the loop's thread; a new one for each attempt.
protocol BodySource: AnyObject {
    /// Fills a part of the buffer.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading
}

/// What there was to read.
enum BodyReading {
    /// So many bytes, at least one.
    case bytes(Int)
    /// There will be no more.
    case end
    /// Nothing yet: the exchange is resumed when there is.
    case nothingYet
}

/// Bytes in memory.
final class DataSource: BodySource {
    private let data: Data
    private var offset = 0

    init(_ data: Data) {
        self.data = data
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReading {
        let count = min(buffer.count, data.count - offset)
        guard count > 0, let target = buffer.baseAddress else { return .end }
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { target.copyMemory(from: base + offset, byteCount: count) }
        }
        offset += count
        return .bytes(count)
    }
}

extension TransportBody {
    /// What gives the body to one attempt.
    func makeSource() -> any BodySource {
        switch self {
        case .data(let data): DataSource(data)
        case .parts(let parts): PartsSource(parts)
        case .stream(let pipe, _): PipeSource(pipe)
        }
    }
}
