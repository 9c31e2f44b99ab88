/// Bytes cut into pieces, by a generator that they seed: an input is always cut alike.
func pieces(of bytes: [UInt8], atMost limit: Int = .max) -> [ArraySlice<UInt8>] {
    // FNV-1a over the bytes, then a linear congruential generator.
    var state = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Mostly a few bytes, now and then many.
        let length = 1 + Int(state >> 33) % (state >> 61 == 0 ? 4096 : state >> 61 < 4 ? 64 : 4)
        let piece = pieces.count + 1 == limit ? rest : rest.prefix(length)
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
    }
    return pieces
}

/// The first line, without its end, and what follows it: for readers that take two things.
func firstLine(of bytes: [UInt8]) -> (line: String, rest: [UInt8]) {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes.dropFirst(end + 1)))
}
