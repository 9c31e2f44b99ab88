import MastheadLock

/// Which file was seen to be damaged, so that no other is taken for it.
final class DamageRecord: Sendable {
    private let file: DatabaseFile
    private let seen = Lock<Damage?>(nil)

    init(_ file: DatabaseFile) {
        self.file = file
    }

    /// What was seen.
    struct Damage: Sendable {
        /// The file; `nil` if it was no longer in its place.
        let identity: DatabaseFile.Identity?
    }

    /// Notes that a file is damaged.
    ///
    /// - Parameter isHere: Whether it is the one that is in its place now.
    func note(isHere: Bool) {
        let damage = Damage(identity: isHere ? file.identity : nil)
        seen.withLock { $0 = damage }
    }

    var damage: Damage? { seen.withLock { $0 } }

    func clear() {
        seen.withLock { $0 = nil }
    }
}
