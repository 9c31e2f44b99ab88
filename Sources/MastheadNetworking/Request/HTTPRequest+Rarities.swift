extension HTTPRequest {
    /// What few requests have.
    struct Rarities: Sendable, Hashable {
        fileprivate var binding: SessionBinding?
        fileprivate var plainHeaders: HTTPHeaders?
    }

    /// The session that a file is brought in: when it is over, nothing more is asked or kept for it.
    var binding: SessionBinding? {
        get { rarities?.binding }
        set { set(newValue) { $0.binding = $1 } }
    }

    /// The header fields without what a download adds and without a signature: what is asked next begins with them.
    var plainHeaders: HTTPHeaders? {
        get { rarities?.plainHeaders }
        set { set(newValue) { $0.plainHeaders = $1 } }
    }

    private mutating func set<Value>(_ value: Value?, _ change: (inout Rarities, Value?) -> Void) {
        guard value != nil || rarities != nil else { return }
        var changed = rarities ?? Rarities()
        change(&changed, value)
        // Equal to one that never had any.
        rarities = changed == Rarities() ? nil : changed
    }
}
