import Foundation

/// The bell, rung for half an hour: the one file of the magazine that is too long to come at once.
enum Peal {
    private static let headSize = 44
    private static let strokes = 600

    /// The sound of a WAV file of 8 bits, over and over; empty if it is none.
    static func wave(of bell: Data) -> Data {
        guard bell.count > headSize, bell.starts(with: Data("RIFF".utf8)) else { return Data() }
        let samples = bell.dropFirst(headSize)
        let size = samples.count * strokes
        var wave = Data(bell.prefix(headSize))
        wave.replaceSubrange(4..<8, with: littleEndian(36 + size))
        wave.replaceSubrange(40..<44, with: littleEndian(size))
        wave.reserveCapacity(headSize + size)
        for _ in 0..<strokes { wave.append(samples) }
        return wave
    }

    private static func littleEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
