import FoundationEssentials
import MastheadNetworking

/// The lines of a stream, whole and in pieces, against those of the text as a whole.
func checkLines(_ bytes: [UInt8]) {
    let (ended, last) = lines(of: bytes)
    let expected = Run(items: (ended + (last.isEmpty ? [] : [last])).map(text))
    claim(parsedLines([bytes[...]]) == expected, "the lines are those of the text")
    claim(parsedLines(pieces(of: bytes)) == expected, "the lines are the same however they are cut")
    claim(parsedLines(bytes.indices.map { bytes[$0...$0] }) == expected, "byte by byte too")
    let limited = parsedLines([bytes[...]], limit: 16)
    claim(parsedLines(pieces(of: bytes), limit: 16) == limited, "a line that is too long is so in pieces too")
    claim(limited.isCut ? expected.items.starts(with: limited.items) : limited == expected, "a limit only cuts")
}

/// The events of a stream, whole and in pieces, against a reader of the whole text.
func checkEvents(_ bytes: [UInt8]) {
    let expected = events(in: bytes)
    claim(parsedEvents([bytes[...]]) == expected, "the events are those of the standard")
    claim(parsedEvents(pieces(of: bytes)) == expected, "the events are the same however they are cut")
    claim(parsedEvents(bytes.indices.map { bytes[$0...$0] }) == expected, "byte by byte too")
    let limited = parsedEvents([bytes[...]], limit: 16)
    claim(parsedEvents(pieces(of: bytes), limit: 16) == limited, "an event that is too long is so in pieces too")
    claim(limited.isCut ? expected.items.starts(with: limited.items) : limited == expected, "a limit only cuts")
}

/// What came of a stream.
private struct Run<Item: Equatable>: Equatable {
    var items: [Item] = []
    var lastEventID = "0"
    var retry: Duration?
    /// Whether something was too long.
    var isCut = false
}

private func parsedLines(_ pieces: [ArraySlice<UInt8>], limit: Int = 1 << 20) -> Run<String> {
    var parser = LineParser(limit: limit)
    var run = Run<String>()
    do throws(RepositoryError) {
        for piece in pieces {
            parser.append(Data(piece))
            while let line = try parser.next() { run.items.append(line) }
        }
        if let last = parser.finish() { run.items.append(last) }
    } catch {
        claim(error.isOfSize(limit), "only a long line is refused")
        run.isCut = true
    }
    return run
}

private func parsedEvents(_ pieces: [ArraySlice<UInt8>], limit: Int = 1 << 20) -> Run<ServerSentEvent> {
    var parser = ServerSentEventParser(lastEventID: "0", limit: limit)
    var run = Run<ServerSentEvent>()
    do throws(RepositoryError) {
        for piece in pieces {
            parser.append(Data(piece))
            while let event = try parser.next() { run.items.append(event) }
        }
    } catch {
        claim(error.isOfSize(limit), "only what is too long is refused")
        run.isCut = true
    }
    run.lastEventID = parser.lastEventID
    run.retry = parser.retry
    return run
}

extension RepositoryError {
    fileprivate func isOfSize(_ limit: Int) -> Bool { if case .bodyTooLarge(limit) = self { true } else { false } }
}

// MARK: - The reference: the whole text at once, character by character

private typealias Line = [Unicode.Scalar]

private func lines(of bytes: [UInt8]) -> (ended: [Line], last: Line) {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    var lines: [Line] = []
    while let end = rest.firstIndex(where: { $0 == "\r" || $0 == "\n" }) {
        lines.append(Array(rest[..<end]))
        let isPair = rest[end...].starts(with: ["\r", "\n"])
        rest = rest[(end + (isPair ? 2 : 1))...]
    }
    return (lines, Array(rest))
}

private func text(_ line: Line) -> String {
    String(String.UnicodeScalarView(line))
}

private func events(in bytes: [UInt8]) -> Run<ServerSentEvent> {
    var run = Run<ServerSentEvent>()
    var (event, data, id) = ("", [String](), "0")
    for line in lines(of: bytes).ended {
        guard !line.isEmpty else {
            run.lastEventID = id
            if !data.isEmpty {
                let name = event.isEmpty ? "message" : event
                run.items.append(ServerSentEvent(event: name, data: data.joined(separator: "\n"), id: id))
            }
            (event, data) = ("", [])
            continue
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? Array(parts[1]) : []
        if value.first == " " { value.removeFirst() }
        switch text(Array(parts[0])) {
        case "event": event = text(value)
        case "data": data.append(text(value))
        case "id": if !value.contains("\0") { id = text(value) }
        case "retry":
            if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
                run.retry = .milliseconds(min(Int(text(value)) ?? .max, Int(Int32.max)))
            }
        default: break
        }
    }
    return run
}
