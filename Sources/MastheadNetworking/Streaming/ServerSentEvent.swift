/// One event of an event stream (WHATWG HTML, section 9.2).
///
/// ```swift
/// switch event.event {
/// case "published": show(try decoder.decode(Issue.self, from: Data(event.data.utf8)))
/// case "withdrawn": hide(event.data)
/// default: break
/// }
/// ```
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is; `message` if the server named none.
    public var event: String

    /// What it says: the lines of its data, joined by line feeds; it may be empty.
    public var data: String

    /// The last event id, which is this event's or, if it has none, that of an event before it; empty if there was none.
    ///
    /// A stream that is asked for again goes on behind it, where the server can do so (`Last-Event-ID`).
    public var id: String

    /// Makes an event: in a test, say.
    public init(event: String = "message", data: String, id: String = "") {
        self.event = event
        self.data = data
        self.id = id
    }
}
