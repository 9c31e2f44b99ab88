/// Why a folder holds no magazine.
public struct MagazineError: Error, Sendable, CustomStringConvertible {
    public let file: String
    public let reason: String

    public var description: String { "\(file) \(reason)" }
}
