extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Method and URL, without what may be secret.
    public var description: String { "\(method) \(Redaction.standard.url(url))" }

    /// What a dump or a debugger shows: names and sizes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.rawValue,
                "url": Redaction.standard.url(url),
                "headers": headers,
                "body": body.map { "\($0)" } ?? "none",
                "timeout": timeout.map { "\($0)" } ?? "none",
                "priority": priority,
            ],
            displayStyle: .struct
        )
    }
}

extension HTTPBody: CustomStringConvertible, CustomReflectable {
    /// The size.
    public var description: String { length.map { "\($0) bytes" } ?? "a stream" }

    /// What a dump or a debugger shows: the size.
    public var customMirror: Mirror {
        Mirror(self, children: ["length": length as Any], displayStyle: .struct)
    }
}
