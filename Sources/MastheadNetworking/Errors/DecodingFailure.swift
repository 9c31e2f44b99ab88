/// Why a body did not become a value, told without showing what it says.
///
/// ```swift
/// $0.onDecodingFailure = { report($0.model, $0.codingPath, $0.snippet) }
/// ```
public struct DecodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The type that was asked for, as written in code.
    public let model: String

    /// The path to what was wrong, such as `volumes[0].meta.published`; empty for the top.
    ///
    /// A member's name that does not look like one, such as an e-mail address, is masked to its length: `counts[‹18›]`.
    public let codingPath: String

    /// What was wrong there.
    public let reason: String

    /// Where in the body it stands, in bytes from its start; `nil` if that is not known.
    ///
    /// For a member that is missing, the object that lacks it; for a body that is no JSON, the byte that shows it.
    public let byteOffset: Int?

    /// What surrounds it, keys, types and lengths kept and every string masked; empty if there is nothing to show.
    public let snippet: String

    /// Makes a failure of an app's own, for a body that it decodes itself.
    ///
    /// - Parameters:
    ///   - model: What the body was to become.
    ///   - codingPath: Where in it something was wrong; empty for the top.
    ///   - reason: What was wrong; without anything that the body says.
    ///   - byteOffset: Where in the body it stands.
    ///   - snippet: What surrounds it, masked.
    public init(
        model: String,
        codingPath: String = "",
        reason: String,
        byteOffset: Int? = nil,
        snippet: String = ""
    ) {
        self.model = model
        self.codingPath = codingPath
        self.reason = reason
        self.byteOffset = byteOffset
        self.snippet = snippet
    }

    /// Model, place and reason, in one line; without the snippet.
    public var description: String {
        let place = byteOffset.map { " (byte \($0))" } ?? ""
        return "\(model) at \(codingPath.isEmpty ? "top" : codingPath)\(place): \(reason)"
    }
}
