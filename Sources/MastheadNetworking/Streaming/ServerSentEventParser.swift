package import FoundationEssentials

/// Reads the events of an event stream, in whatever pieces it comes (WHATWG HTML, section 9.2.6).
///
/// ```swift
/// var parser = ServerSentEventParser()
/// for try await chunk in chunks {
///     parser.append(chunk)
///     while let event = try parser.next() { show(event) }
/// }
/// ```
///
/// An event ends with an empty line; one that the stream's end cuts off is dropped, its id too. The time it takes grows
/// with the number of bytes, not of pieces.
package struct ServerSentEventParser: Sendable {
    /// The id to go on behind when the stream is asked for again; empty if there is none.
    package private(set) var lastEventID: String

    /// How long the server wants a client to wait before it asks again; `nil` if it did not say.
    package private(set) var retry: Duration?

    /// What a longer wait is cut to, in milliseconds: about 25 days, as browsers do it.
    private static let maximumRetry = Int(Int32.max)

    private let limit: Int
    private var lines: LineSplitter
    private var event = ""
    private var data: [UInt8] = []
    private var id: String

    /// Makes a parser of one answer.
    ///
    /// - Parameters:
    ///   - lastEventID: What the stream before this one ended with; events keep it until the server names another.
    ///   - limit: How many bytes a line may have, and the data of an event.
    package init(lastEventID: String = "", limit: Int = 1 << 20) {
        self.lastEventID = lastEventID
        self.limit = limit
        lines = LineSplitter(limit: limit)
        id = lastEventID
    }

    /// Adds what came next.
    package mutating func append(_ bytes: Data) {
        lines.append(bytes)
    }

    /// The next event; `nil` until more has come.
    ///
    /// - Throws: ``RepositoryError/bodyTooLarge(limit:)`` for a line or an event that is too long, and each time after
    ///   that.
    package mutating func next() throws(RepositoryError) -> ServerSentEvent? {
        // Each line of the data has a line feed behind it; the last one's is not the event's.
        while data.count - 1 <= limit {
            guard let line = try lines.next() else { return nil }
            if !line.isEmpty {
                process(line)
            } else if let event = dispatch() {
                return event
            }
        }
        throw .bodyTooLarge(limit: limit)
    }

    private mutating func process(_ line: Data) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event = String(decoding: value, as: UTF8.self)
        case "data":
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy(\.isDigit):
            let milliseconds = Int(String(decoding: value, as: UTF8.self)) ?? .max
            retry = .milliseconds(min(milliseconds, Self.maximumRetry))
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            event = ""
            data.removeAll(keepingCapacity: true)
        }
        lastEventID = id
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            event: event.isEmpty ? "message" : event,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            id: id
        )
    }
}
