/// Why a text is no pattern for placeholders.
///
/// ```swift
/// do throws(BodyPatternError) { pattern = try BodyPattern(text) } catch .groups { … }
/// ```
public enum BodyPatternError: Error, Sendable, Hashable {
    /// It is no regular expression.
    case invalid

    /// It has not exactly one group, which is the asset's id.
    case groups
}
