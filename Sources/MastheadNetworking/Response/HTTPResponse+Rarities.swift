extension HTTPResponse {
    /// What few answers have.
    struct Rarities: Sendable {
        fileprivate var reader: BodyReader?
        fileprivate var arrival: PartFile.Arrival?
        fileprivate var cached: CachedAnswer?
        fileprivate var binding: SessionBinding?
        fileprivate var refused: HTTPRequest?
    }

    /// Reads the body as it comes; `nil` if it is whole in ``body``.
    package var reader: BodyReader? {
        get { rarities?.reader }
        set { set(newValue) { $0.reader = $1 } }
    }

    /// What went into a file instead of ``body``; `nil` if nothing did.
    package var arrival: PartFile.Arrival? {
        get { rarities?.arrival }
        set { set(newValue) { $0.arrival = $1 } }
    }

    /// What is kept of it; `nil` for nothing.
    var cached: CachedAnswer? {
        get { rarities?.cached }
        set { set(newValue) { $0.cached = $1 } }
    }

    /// The session that a file was brought in.
    var binding: SessionBinding? {
        get { rarities?.binding }
        set { set(newValue) { $0.binding = $1 } }
    }

    /// The request whose token it refused: after redirects not the first, which was done.
    var refused: HTTPRequest? {
        get { rarities?.refused }
        set { set(newValue) { $0.refused = $1 } }
    }

    private mutating func set<Value>(_ value: Value?, _ change: (inout Rarities, Value?) -> Void) {
        guard value != nil || rarities != nil else { return }
        var changed = rarities ?? Rarities()
        change(&changed, value)
        rarities = changed
    }
}
