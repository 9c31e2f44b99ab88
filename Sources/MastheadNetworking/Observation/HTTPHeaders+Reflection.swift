extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The names of the fields; a value may be a secret, and this does not know which is.
    public var description: String { fields.map(\.name).joined(separator: ", ") }

    /// What a dump or a debugger shows: the names, and how long each value is.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: fields.map { (label: $0.name, value: "\($0.value.utf8.count) bytes" as Any) },
            displayStyle: .struct
        )
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { name }

    /// What a dump or a debugger shows: the name, and how long the value is.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": "\(value.utf8.count) bytes"], displayStyle: .struct)
    }
}
