import FoundationEssentials

/// A URL that shows itself without what may be secret.
///
/// ```swift
/// show(record.url)       // https://api.example.com/v2/volumes?limit=20&token=[redacted]
/// ```
///
/// Left out are a user, a fragment, the values of parameters that are named as secrets
/// (``RequestLogger/defaultSecretParameters``, or those of the configuration's logger), e-mail addresses and the client
/// key. It is made into text only when it is asked for, so that an event costs nothing that nobody looks at.
public struct RedactedURL: Sendable, CustomStringConvertible, CustomReflectable {
    private let url: URL
    private let redaction: Redaction

    init(_ url: URL, _ redaction: Redaction) {
        self.url = url
        self.redaction = redaction
    }

    /// The URL without its secrets.
    public var description: String { redaction.url(url) }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
