extension Request: CustomStringConvertible, CustomReflectable {
    /// The method, and what the answer becomes.
    public var description: String { "\(method) for \(Value.self)" }

    /// What a dump or a debugger shows: names and sizes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.rawValue,
                "query": query,
                "parameters": parameters,
                "headers": headers,
                "body": body.map { $0.contentType ?? "untyped" } ?? "none",
                "timeout": timeout.map { "\($0)" } ?? "none",
                "priority": priority,
                "usesSession": usesSession,
            ],
            displayStyle: .struct
        )
    }
}

extension Parameters: CustomStringConvertible, CustomReflectable {
    /// The names alone; a value may be a secret, and this does not know which is.
    public var description: String { elements.map(\.name).joined(separator: ", ") }

    /// What a dump or a debugger shows: the names.
    public var customMirror: Mirror {
        Mirror(self, children: ["names": elements.map(\.name)], displayStyle: .struct)
    }
}

extension Parameters.Element: CustomStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { name }

    /// What a dump or a debugger shows: the name.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name], displayStyle: .struct)
    }
}

extension RequestPath: CustomStringConvertible, CustomReflectable {
    /// The path as it goes into the URL, without segments that hold an e-mail address.
    public var description: String { Redaction.standard.path(encoded) }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
