import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Server-sent events")
struct ServerSentEventTests {
    @Test(
        "case 22: reads an event stream as the standard says, cut anywhere",
        arguments: [
            ("LF", "data: a\n\ndata: b\n\n", [.init(data: "a"), .init(data: "b")]),
            ("CR", "data: a\r\rdata: b\r\r", [.init(data: "a"), .init(data: "b")]),
            ("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", [.init(data: "a"), .init(data: "b")]),
            ("lines that end with CRLF", "data: a\r\ndata: b\r\n\r\n", [.init(data: "a\nb")]),
            (
                "all three", "data: a\rdata: b\ndata: c\r\n\r\r\ndata: d\n\r",
                [.init(data: "a\nb\nc"), .init(data: "d")]
            ),
            ("one byte order mark", "\u{FEFF}data: a\n\n", [.init(data: "a")]),
            ("a second byte order mark is part of a name", "\u{FEFF}\u{FEFF}data: a\n\n", []),
            ("a later byte order mark too", "data: a\n\n\u{FEFF}data: b\n\n", [.init(data: "a")]),
            ("several data", "data: YHOO\ndata: +2\ndata: 10\n\n", [.init(data: "YHOO\n+2\n10")]),
            ("a comment", ": hello\ndata: a\n:\n: b: c\n\n", [.init(data: "a")]),
            ("comments alone", ":\n\n: ping\n\n", []),
            ("an id with NUL is none", "id: 1\nid: 2\u{0}3\ndata: a\n\n", [.init(data: "a", id: "1")]),
            ("no empty line at the end", "data: a\n\ndata: b\n", [.init(data: "a")]),
            ("no line's end at the end", "data: a\n\ndata: b", [.init(data: "a")]),
            ("no data", "event: x\n\nid: 1\n\ndata: a\n\n", [.init(data: "a", id: "1")]),
            ("empty data", "data\n\ndata\ndata\n\ndata:", [.init(data: ""), .init(data: "\n")]),
            ("one space", "data:a\n\ndata:  b \n\n", [.init(data: "a"), .init(data: " b ")]),
            ("no tab", "data:\ta\n\n", [.init(data: "\ta")]),
            ("a colon in a value", "data: a: b\n\n", [.init(data: "a: b")]),
            ("unknown fields", "date: x\nData: y\ndata : z\n data: w\nfoo\ndata: a\n\n", [.init(data: "a")]),
            ("an event's kind", "event: x\nevent: y\ndata: a\n\n", [.init(event: "y", data: "a")]),
            ("an empty kind", "event\ndata: a\n\n", [.init(data: "a")]),
            (
                "a kind is for one event", "event: x\ndata: a\n\ndata: b\n\nevent: y\n\ndata: c\n\n",
                [.init(event: "x", data: "a"), .init(data: "b"), .init(data: "c")]
            ),
            (
                "an id stays until another", "data: a\nid: 1\n\ndata: b\n\ndata: c\nid\n\ndata: d\n\n",
                [.init(data: "a", id: "1"), .init(data: "b", id: "1"), .init(data: "c"), .init(data: "d")]
            ),
            ("characters of several bytes", "data: é\u{1F4F0}\n\n", [.init(data: "é\u{1F4F0}")]),
            ("no more than an empty line", "\n", []),
            ("nothing", "", []),
        ] as [(String, String, [ServerSentEvent])]
    )
    func reads(name: String, stream: String, expected: [ServerSentEvent]) throws {
        let bytes = Data(stream.utf8)

        #expect(try Self.events([bytes]) == expected)
        #expect(try Self.events(bytes.map { Data([$0]) }) == expected)
        for place in 1..<max(bytes.count, 1) {
            #expect(try Self.events([bytes.prefix(place), bytes.dropFirst(place)]) == expected)
        }
    }

    @Test("case 22: delivers an event as soon as its empty line is there, be it a CR that an LF may follow")
    func deliversAtOnce() throws {
        var parser = ServerSentEventParser()
        parser.append(Data("data: a\r\n\r".utf8))
        #expect(try parser.next() == ServerSentEvent(data: "a"))
        parser.append(Data("\ndata: b\r\n\r\n".utf8))
        #expect(try parser.next() == ServerSentEvent(data: "b"))
        #expect(try parser.next() == nil)
    }

    @Test("case 22: keeps the last event id for the next connection, but not of an event that was cut off")
    func keepsLastEventID() throws {
        var first = ServerSentEventParser()
        first.append(Data("id: 1\ndata: a\n\nid: 2\n\nid: 3\ndata: b\n".utf8))
        #expect(try first.next() == ServerSentEvent(data: "a", id: "1"))
        #expect(first.lastEventID == "1")
        #expect(try first.next() == nil)
        #expect(first.lastEventID == "2")

        var second = ServerSentEventParser(lastEventID: first.lastEventID)
        second.append(Data("data: c\n\nid\n\n".utf8))
        #expect(try second.next() == ServerSentEvent(data: "c", id: "2"))
        #expect(second.lastEventID == "2")
        #expect(try second.next() == nil)
        #expect(second.lastEventID == "")
    }

    @Test(
        "case 22: takes a retry of digits alone, and at once",
        arguments: [
            ("retry: 1500\n", .milliseconds(1500)), ("retry:0\n", .zero), ("retry: 007\r", .milliseconds(7)),
            ("retry: 1\nretry: 2\n", .milliseconds(2)),
            ("retry: 1\nretry: x\nretry: -3\nretry\n", .milliseconds(1)), ("retry: +1\n", nil), ("retry: 1.5\n", nil),
            ("retry: 1 \n", nil), ("retry:  1\n", nil),
            ("retry: ٣\n", nil), ("retry\n", nil), ("retry: 5", nil), ("Retry: 5\n", nil),
            ("retry: 99999999999999999999999\n", .milliseconds(2_147_483_647)),
        ] as [(String, Duration?)]
    )
    func takesRetry(stream: String, expected: Duration?) throws {
        var parser = ServerSentEventParser()
        parser.append(Data(stream.utf8))
        #expect(try parser.next() == nil)
        #expect(parser.retry == expected)
    }

    @Test(
        "refuses a line or an event that is too long, for good, and delivers those before it",
        arguments: [
            "data: 5678", "data: 5678\n\n", "data: x\n\n: 34567890", ":234567890\n",
            "data\n\ndata: 567\ndata: 567\ndata: 56\n",
        ]
    )
    func limits(rest: String) throws {
        for size in [1, 2, 100] {
            var parser = ServerSentEventParser(limit: 9)
            var events: [ServerSentEvent] = []
            let error = #expect(throws: RepositoryError.self) {
                var bytes = Data("data: 123\n\ndata: 4\ndata: 6\ndata: 8\ndata: 0\n\n\(rest)".utf8)
                while !bytes.isEmpty {
                    parser.append(Data(bytes.prefix(size)))
                    bytes = bytes.dropFirst(size)
                    while let event = try parser.next() { events.append(event) }
                }
            }
            guard case .bodyTooLarge(limit: 9) = error else {
                Issue.record("got \(String(describing: error))")
                continue
            }
            #expect(events.prefix(2) == [ServerSentEvent(data: "123"), ServerSentEvent(data: "4\n6\n8\n0")])
            #expect(events.count <= 3)
            parser.append(Data("\n\ndata: 1\n\n".utf8))
            #expect(throws: RepositoryError.self) { try parser.next() }
        }
    }

    @Test("any cutting of any bytes gives the same events, those of the standard's algorithm over the whole text")
    func cutsAnywhere() throws {
        var random = SeededGenerator(seed: 22)
        let texts = [
            "data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "\r\r", "a", "7", "\u{0}", "é",
            "\u{FEFF}", "data: x\n", "id: 1\n",
        ]
        let pieces: [[UInt8]] = texts.map { Array($0.utf8) } + [[0xEF], [0xBB], [0xFF], [0xF0, 0x9F]]
        var total = 0
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            let expected = Self.reference(bytes)
            var chunks: [Data] = []
            var rest = bytes[...]
            let longest = Int.random(in: 1...20, using: &random)
            while !rest.isEmpty {
                let count = Int.random(in: 0...longest, using: &random)
                chunks.append(Data(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(try Self.events([Data(bytes)]) == expected)
            #expect(try Self.events(chunks) == expected, "\(bytes) as \(chunks.map(\.count))")
            total += expected.count
        }
        #expect(total > 500)
    }

    private static func events(_ chunks: [Data]) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for chunk in chunks {
            parser.append(chunk)
            while let event = try parser.next() { events.append(event) }
        }
        return events
    }

    /// The standard's algorithm, word by word, over all of the text.
    private static func reference(_ bytes: [UInt8]) -> [ServerSentEvent] {
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var lines: [Substring.UnicodeScalarView] = []
        while let end = text.firstIndex(where: { $0 == "\n" || $0 == "\r" }) {
            lines.append(text[..<end])
            let isPair = text[end...].starts(with: "\r\n".unicodeScalars)
            text = text[end...].dropFirst(isPair ? 2 : 1)
        }
        var (events, data, type, id) = ([] as [ServerSentEvent], "", "", "")
        for line in lines {
            if line.isEmpty {
                if !data.isEmpty {
                    let text = String(data.unicodeScalars.dropLast())
                    events.append(ServerSentEvent(event: type.isEmpty ? "message" : type, data: text, id: id))
                }
                (data, type) = ("", "")
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count == 2 ? parts[1] : parts[0].prefix(0)
            if value.first == " " { value.removeFirst() }
            switch String(parts[0]) {
            case "data": data.unicodeScalars.append(contentsOf: value + "\n".unicodeScalars)
            case "event": type = String(value)
            case "id" where !value.contains("\u{0}"): id = String(value)
            default: break
            }
        }
        return events
    }
}
