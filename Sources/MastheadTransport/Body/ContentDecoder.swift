package import FoundationEssentials

/// Undoes the content codings of a body while it arrives, in constant memory.
///
/// ```swift
/// var decoder = try ContentDecoder([.gzip])
/// try decoder.decode(bytes) { (piece) throws(TransportError) in try file.write(piece) }
/// try decoder.finish()
/// ```
///
/// Whoever is not ready for all that a few bytes may stand for (64 KiB of brotli make gigabytes) takes one piece at a
/// time with ``next(from:)``. After an error there is nothing more to be had of a decoder. A body without a byte is an
/// empty one in every coding, since servers label those too.
package struct ContentDecoder: ~Copyable, @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: this value alone knows its stages, and has one owner at a time.
    private let stages: [Stage]

    /// What comes out at once, at most.
    package static let pieceSize = 64 << 10

    /// Makes a decoder.
    ///
    /// - Parameter codings: The codings in the order they were applied, as ``ContentCoding/list(in:)`` gives them; the
    ///   last is undone first.
    /// - Throws: `setup` if there is no memory for it.
    package init(_ codings: [ContentCoding]) throws(TransportError) {
        var stages: [Stage] = []
        for coding in codings.reversed() { stages.append(Stage(try coding.makeStream())) }
        self.stages = stages
    }

    /// Decodes the next bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - emit: Takes each piece that comes out of them; an error of its own ends the decoding.
    /// - Throws: `corruptBody` if they are damaged or not of the coding, and what `emit` throws.
    package mutating func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ emit: (UnsafeRawBufferPointer) throws(TransportError) -> Void
    ) throws(TransportError) {
        var rest = bytes
        while let piece = try next(from: &rest) { try emit(piece) }
    }

    /// Decodes from the front of `input`, until there is a piece.
    ///
    /// - Parameter input: The next bytes of the body, the same until `nil` comes back; what was read is taken off.
    /// - Returns: A piece that stands until the next call; `nil` if the input was read and gives no more.
    /// - Throws: `corruptBody` if the bytes are damaged or not of the coding.
    package mutating func next(
        from input: inout UnsafeRawBufferPointer
    ) throws(TransportError) -> UnsafeRawBufferPointer? {
        let piece: UnsafeRawBufferPointer
        if stages.isEmpty {
            piece = input
            input = UnsafeRawBufferPointer(start: nil, count: 0)
        } else {
            piece = try output(of: stages.count - 1, from: &input)
        }
        return piece.isEmpty ? nil : piece
    }

    /// Checks that the body was whole.
    ///
    /// - Throws: `corruptBody` if a coding ended early.
    package mutating func finish() throws(TransportError) {
        for stage in stages where stage.read > 0 && !stage.stream.isWhole {
            throw .corruptBody("its coded form ends early, after \(stage.read) bytes")
        }
    }

    /// What a stage makes of the output of the one before it; empty if that wants more input.
    private func output(
        of index: Int,
        from input: inout UnsafeRawBufferPointer
    ) throws(TransportError) -> UnsafeRawBufferPointer {
        let stage = stages[index]
        guard index > 0 else { return try stage.output(from: &input) }
        let source = stages[index - 1]
        while true {
            if source.pending.isEmpty && !stage.isFull {
                source.pending = try output(of: index - 1, from: &input)
                if source.pending.isEmpty { return source.pending }
                try checkYield(of: source)
            }
            let output = try stage.output(from: &source.pending)
            if !output.isEmpty { return output }
        }
    }

    /// A coding within another that makes next to nothing of a thousand times as many bytes (empty members, frames to
    /// skip) is there to waste time: no limit on what comes out would ever stop it.
    private func checkYield(of source: Stage) throws(TransportError) {
        let made = stages.last?.written ?? 0
        guard source.written <= 1 << 20 || source.written >> 4 <= made else {
            throw .corruptBody("\(source.written) bytes within its coding stand for only \(made)")
        }
    }
}

/// A coding on its way, and the memory for what comes out of it.
private final class Stage {
    let stream: any CodedStream
    private(set) var read = 0
    private(set) var written = 0
    /// Whether the last output filled its memory, so that the stream may hold more.
    private(set) var isFull = false
    /// What the next stage has not read yet.
    var pending = UnsafeRawBufferPointer(start: nil, count: 0)

    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentDecoder.pieceSize, alignment: 16)

    init(_ stream: any CodedStream) {
        self.stream = stream
    }

    deinit {
        memory.deallocate()
    }

    /// Decodes until its memory is full or the input was read.
    func output(from input: inout UnsafeRawBufferPointer) throws(TransportError) -> UnsafeRawBufferPointer {
        var count = 0
        while count < memory.count, !input.isEmpty || isFull {
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let step = try stream.step(input, into: room)
            guard step.read > 0 || step.written > 0 || input.isEmpty else { throw .corruptBody("does not decode") }
            input = UnsafeRawBufferPointer(rebasing: input[step.read...])
            read += step.read
            count += step.written
            isFull = step.written == room.count
        }
        written += count
        return UnsafeRawBufferPointer(rebasing: memory[..<count])
    }
}

extension ContentDecoder {
    /// Decodes a whole body.
    ///
    /// - Throws: `corruptBody` if it is cut, damaged or not of these codings; `bodyTooLarge` as soon as more than `limit`
    ///   bytes come out.
    package static func decode(
        _ body: Data,
        coded codings: [ContentCoding],
        limit: Int
    ) throws(TransportError) -> Data {
        var decoder = try ContentDecoder(codings)
        var decoded = BodyBuffer()
        try body.bytes.withUnsafeBytes { (bytes) throws(TransportError) in
            try decoder.decode(bytes) { (piece) throws(TransportError) in
                guard decoded.count + piece.count <= limit, let base = piece.baseAddress,
                    decoded.append(base, count: piece.count, expected: bytes.count, limit: limit)
                else { throw .bodyTooLarge(limit: limit) }
            }
        }
        try decoder.finish()
        return decoded.takeData()
    }
}
