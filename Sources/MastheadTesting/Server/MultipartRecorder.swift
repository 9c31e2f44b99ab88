import FoundationEssentials
import MastheadCrypto
import MastheadNetworking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Takes a body of several parts (RFC 2046, section 5.1) to pieces while it comes.
struct MultipartRecorder: ~Copyable {
    private enum Phase {
        case preamble
        /// Behind a delimiter: another part, or the end.
        case delimiter
        case head
        case body
        case end
    }

    /// A line break, two dashes and the boundary.
    private let delimiter: [UInt8]
    private let keptBytes: Int
    private var phase = Phase.preamble
    /// Begins with the line break that the first delimiter may lack.
    private var buffer = Array("\r\n".utf8)
    private var start = 0
    private var parts: [ScriptedServer.ReceivedRequest.Part] = []
    private var headers = HTTPHeaders()
    private var kept = Data()
    private var length = 0
    private var digest: DigestStream?

    /// `nil` if the type is not `multipart` or names no boundary.
    init?(contentType: String, keeping keptBytes: Int) {
        guard contentType.lowercased().hasPrefix("multipart/"), let name = contentType.firstRange(of: "boundary=")
        else {
            return nil
        }
        let value = contentType[name.upperBound...]
        let boundary =
            value.hasPrefix("\"") ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != ";" && $0 != " " }
        guard !boundary.isEmpty else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.keptBytes = keptBytes
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard phase != .end else { return }
        buffer += bytes
        while advance() {}
        buffer.removeFirst(start)
        start = 0
    }

    /// The parts that came whole.
    consuming func finish() -> [ScriptedServer.ReceivedRequest.Part] {
        parts
    }

    /// Takes one step; `false` when more must come for the next.
    private mutating func advance() -> Bool {
        switch phase {
        case .preamble, .body:
            let end = position(of: delimiter)
            // What may be the beginning of a delimiter waits for the rest of it.
            let safe = end ?? max(start, buffer.count - delimiter.count + 1)
            if phase == .body { keep(buffer[start..<safe]) }
            start = safe
            guard end != nil else { return false }
            if phase == .body { endPart() }
            start += delimiter.count
            phase = .delimiter
            return true
        case .delimiter:
            guard buffer.count - start >= 2 else { return false }
            if buffer[start..<(start + 2)].elementsEqual("--".utf8) {
                phase = .end
                return false
            }
            guard let line = position(of: Array("\r\n".utf8)) else { return false }
            start = line
            phase = .head
            return true
        case .head:
            guard let end = position(of: Array("\r\n\r\n".utf8)) else { return false }
            let lines = String(decoding: buffer[start..<end], as: UTF8.self).split(separator: "\r\n")
            headers = HTTPHeaders(lines.compactMap { HTTPHeaders.Field(line: String($0)) })
            start = end + 4
            (kept, length) = (Data(), 0)
            digest = try? DigestStream(.sha256)
            phase = .body
            return true
        case .end:
            return false
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        kept.append(contentsOf: bytes.prefix(keptBytes - kept.count))
        length += bytes.count
        try? digest?.update(bytes)
    }

    private mutating func endPart() {
        var text = ""
        if let digest = digest.take() { text = (try? digest.finish().hexadecimal) ?? "" }
        parts.append(.init(headers: headers, body: kept, bodyLength: length, bodyDigest: text))
    }

    /// Where `pattern` begins, from `start` on.
    private func position(of pattern: [UInt8]) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let first = pattern.first else { return nil }
            var offset = start
            while offset + pattern.count <= bytes.count {
                let rest = bytes.count - pattern.count + 1 - offset
                guard let hit = memchr(base + offset, Int32(first), rest) else { return nil }
                offset = UnsafeRawPointer(hit) - base
                if memcmp(base + offset, pattern, pattern.count) == 0 { return offset }
                offset += 1
            }
            return nil
        }
    }
}
