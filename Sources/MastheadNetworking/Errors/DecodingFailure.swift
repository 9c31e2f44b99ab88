/// Why a body did not become a value, told without showing what it says.
///
/// ```swift
/// $0.onDecodingFailure = { report($0.model, $0.codingPath, $0.snippet) }
/// ```
public struct DecodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The type that was asked for, as written in code.
    public let model: String

    /// The path to what was wrong, such as `volumes[0].meta.published`; empty for the top.
    public let codingPath: String

    /// What was wrong there.
    public let reason: String

    /// Where in the body it stands, in bytes from its start; `nil` if the body is no JSON or the path leads nowhere.
    public let byteOffset: Int?

    /// What surrounds it, keys, types and lengths kept and every string masked; empty if there is nothing to show.
    public let snippet: String

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

    public var description: String {
        let place = byteOffset.map { " (byte \($0))" } ?? ""
        return "\(model) at \(codingPath.isEmpty ? "top" : codingPath)\(place): \(reason)"
    }
}
