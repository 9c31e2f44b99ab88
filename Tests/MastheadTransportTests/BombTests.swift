import FoundationEssentials
import Glibc
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

#if Brotli
import CBrotliEncoder
#endif

/// Bodies that would grow to ten gigabytes, made while they are sent; and honest ones that only shrink well.
@Suite(.timeLimit(.minutes(5)))
struct BombTests {
    /// A coded body of which most is one piece over and over: nowhere is it in memory.
    struct Bomb: Sendable {
        let label: String
        var start = Data()
        let piece: Data
        let count: Int
        var end = Data()

        var byteCount: Int { start.count + piece.count * count + end.count }

        func bytes(_ range: Range<Int>) -> Data {
            var bytes = Data()
            while bytes.count < range.count {
                let offset = range.lowerBound + bytes.count - start.count
                let part =
                    if offset < 0 {
                        start[(start.count + offset)...]
                    } else if offset < piece.count * count {
                        piece[(offset % piece.count)...]
                    } else {
                        end[(offset - piece.count * count)...]
                    }
                bytes += part.prefix(range.count - bytes.count)
            }
            return bytes
        }

        /// As a server sends it.
        var answer: ScriptedServer.Answer {
            .generated(byteCount: byteCount) { bytes($0) }.adding(label, for: "Content-Encoding")
        }

        /// One of each coding, and one of a coding within another; they stand for `count` times 10 MB.
        static func all(count: Int) throws -> [Bomb] {
            let zeros = Data(count: 10_000_000)
            let member = try CodedForm.gzip.encode(zeros)
            let members = try CodedForm.gzip.encode(Data((0..<10).map { _ in member }.joined()))
            var bombs = [
                Bomb(label: "gzip", piece: member, count: count),
                Bomb(label: "gzip, gzip", piece: members, count: count / 10),
            ]
            #if Brotli
            bombs.append(try brotli(count: count))
            #endif
            #if Zstandard
            bombs.append(Bomb(label: "zstd", piece: try CodedForm.zstandard.encode(zeros), count: count))
            #endif
            return bombs
        }

        #if Brotli
        /// A flushed encoder gives the same bytes for the same zeros from the second time on.
        private static func brotli(count: Int) throws -> Bomb {
            let encoder = try #require(BrotliEncoderCreateInstance(nil, nil, nil))
            defer { BrotliEncoderDestroyInstance(encoder) }
            BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, 5)
            func encode(_ zeros: Int, _ operation: BrotliEncoderOperation) -> Data {
                let zeros = [UInt8](repeating: 0, count: zeros)
                var coded = [UInt8](repeating: 0, count: 100_000)
                var unread = zeros.count
                var room = coded.count
                zeros.withUnsafeBufferPointer { input in
                    coded.withUnsafeMutableBufferPointer { output in
                        var next = input.baseAddress
                        var target = output.baseAddress
                        _ = BrotliEncoderCompressStream(encoder, operation, &unread, &next, &room, &target, nil)
                    }
                }
                return Data(coded[..<(coded.count - room)])
            }
            let pieces = (0..<3).map { _ in encode(10_000_000, BROTLI_OPERATION_FLUSH) }
            try #require(pieces[1] == pieces[2])
            return Bomb(
                label: "br",
                start: pieces[0],
                piece: pieces[1],
                count: count - 1,
                end: encode(0, BROTLI_OPERATION_FINISH)
            )
        }
        #endif
    }

    /// Seconds after which the system ends a process of this suite: a hang is a failure, not a wait.
    private static let patience: UInt32 = 60

    @Test("case 9: a body of ten gigabytes stops at the limit, and never more of it is in memory")
    func stopsBombs() async {
        await #expect(processExitsWith: .success) {
            alarm(Self.patience)
            let bombs = try Bomb.all(count: 1000)
            let server = try ScriptedServer { request in bombs[Int(request.target.dropFirst()) ?? 0].answer }
            var limits = TransportLimits()
            limits.maximumBodySize = 16 << 20
            let before = try ProcessTable.peakMemory()
            for index in bombs.indices {
                let url = server.baseURL.absoluteString + "/\(index)"
                let bounded = TransportRequest(url: url, limits: limits)
                let error = await #expect(throws: TransportError.self) { try await Transport().perform(bounded) }
                try #require(error == .bodyTooLarge(limit: 16 << 20), "\(bombs[index].label)")
            }
            // The coded form and the decoded one, each at most the limit, and a buffer that grows into another.
            try #require(ProcessTable.peakMemory() - before < 64 << 20)
            _exit(0)
        }
    }

    @Test("case 9: a bomb is decoded in the memory of one piece if its taker keeps none")
    func decodesInConstantMemory() async {
        await #expect(processExitsWith: .success) {
            let count = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 1000 : 20
            for bomb in try Bomb.all(count: count) {
                alarm(Self.patience)
                var decoder = try ContentDecoder(ContentCoding.list(in: bomb.label))
                let before = try ProcessTable.peakMemory()
                var decoded = 0
                var offset = 0
                while offset < bomb.byteCount {
                    let end = min(offset + 16_384, bomb.byteCount)
                    try bomb.bytes(offset..<end).bytes.withUnsafeBytes { (bytes) throws(TransportError) in
                        try decoder.decode(bytes) { (piece) throws(TransportError) in decoded += piece.count }
                    }
                    offset = end
                }
                try decoder.finish()
                try #require(decoded == count * 10_000_000, "\(bomb.label)")
                // brotli's window is 16 MiB.
                try #require(ProcessTable.peakMemory() - before < 32 << 20, "\(bomb.label)")
            }
            _exit(0)
        }
    }

    @Test("case 9: an honest body that shrinks to a thirtieth passes", arguments: CodedForm.all)
    func passesHonestBodies(form: CodedForm) async throws {
        let body = Data.honestJSON(byteCount: 2_000_000)
        let coded = try form.encode(body)
        #expect(coded.count < body.count / 25)
        let server = try ScriptedServer(.data(coded).adding(form.label, for: "Content-Encoding"))
        var request = TransportRequest(url: server.baseURL.absoluteString + "/")
        request.limits.maximumBodySize = body.count
        #expect(try await Transport().perform(request).body == body)
    }
}
