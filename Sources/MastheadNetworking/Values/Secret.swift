/// A string that does not show itself: not in a log, a description, a dump or a debugger's summary.
///
/// ```swift
/// let key: Secret = "4f2c…"
/// show(key)              // [redacted]
/// ```
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The secret itself: hand it to what needs it and to nothing else.
    public let value: String

    /// Makes a secret of its text.
    public init(_ value: String) {
        self.value = value
    }

    /// Makes a secret of a literal: for a key that an app has built in.
    public init(stringLiteral value: String) {
        self.value = value
    }

    /// `[redacted]`, whatever the secret is.
    public var description: String { "[redacted]" }

    /// `[redacted]`, whatever the secret is.
    public var debugDescription: String { description }

    /// Shows as much as ``description``.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
