extension ResponseStream: CustomStringConvertible, CustomReflectable {
    /// The status.
    public var description: String { "status \(status)" }

    /// What a dump or a debugger shows: names and sizes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["status": status, "url": Redaction.standard.url(url), "headers": headers],
            displayStyle: .struct
        )
    }
}

extension DownloadedFile: CustomStringConvertible, CustomReflectable {
    /// The path and the size.
    public var description: String { "\(path), \(size) bytes" }

    /// What a dump or a debugger shows: names and sizes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "path": path,
                "size": size,
                "resumedFrom": resumedFrom,
                "url": Redaction.standard.url(url),
                "headers": headers,
            ],
            displayStyle: .struct
        )
    }
}
