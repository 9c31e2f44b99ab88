/// Numbers that no other payload has, many of them for one question to the system.
///
/// SplitMix64, begun at a place of chance: it comes to no number twice on its way, and what two ways have in common is
/// chance as well.
struct RevisionNumbers: Sendable {
    private var state = UInt64.random(in: .min ... .max)

    /// The next one.
    mutating func next() -> Int64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return max(1, Int64((bits ^ (bits >> 31)) >> 1))
    }
}
