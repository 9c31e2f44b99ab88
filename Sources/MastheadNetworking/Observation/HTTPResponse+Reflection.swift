extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the size of the body.
    public var description: String { "status \(status), \(body.count) bytes" }

    /// What a dump or a debugger shows: names and sizes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status,
                "url": Redaction.standard.url(url),
                "headers": headers,
                "body": "\(body.count) bytes",
                "metrics": metrics as Any,
            ],
            displayStyle: .struct
        )
    }
}

extension ResponseError: CustomReflectable {
    /// What a dump or a debugger shows: names and sizes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["status": status, "headers": headers, "body": "\(body.count) bytes"],
            displayStyle: .struct
        )
    }
}
