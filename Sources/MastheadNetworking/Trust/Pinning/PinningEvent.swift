public import FoundationEssentials

/// Something that an app should know about its pins; see ``CertificatePinning/onEvent``.
///
/// ```swift
/// $0.pinning?.onEvent = { event in log("\(event)") }
/// ```
public struct PinningEvent: Sendable, Hashable {
    /// What happened.
    public let mismatch: PinMismatch

    /// The name of the ``CertificatePinning/Host`` that decided, in its plain form; `nil` if none covers the server.
    public let pinnedHost: String?

    /// Whether the request was refused for it; if not, it was sent.
    public let isRefused: Bool

    /// When it happened, by the clock that pins are judged by.
    public let date: Date
}

extension PinningEvent: CustomStringConvertible {
    /// What happened, in lines.
    public var description: String { "\(isRefused ? "refused" : "let through"): \(mismatch)" }
}
