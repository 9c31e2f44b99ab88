/// What went wrong in a cache while nobody waited for it: a report, not a failure of the app's call.
///
/// ```swift
/// options.onProblem = { report("cache: \($0)") }
/// ```
@nonexhaustive
public enum CacheProblem: Sendable, Hashable {
    /// A value that was kept no longer decodes; it counts as not there.
    case undecodable(DecodingFailure)

    /// Something could not be read; it counts as not there.
    case unreadable(CacheError)

    /// Something could not be kept or forgotten on disk. It is not tried again: what is on disk is what there is, and
    /// memory does not say otherwise.
    case unwritable(CacheError)
}

extension CacheProblem: CustomStringConvertible {
    /// What happened, in one line for a log; no key, and nothing of a value.
    public var description: String {
        switch self {
        case .undecodable(let failure): "no longer decodes: \(failure)"
        case .unreadable(let error): "not read: \(error)"
        case .unwritable(let error): "not kept: \(error)"
        }
    }
}
