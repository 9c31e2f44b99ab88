import Glibc

/// Two sounds: 8,000 samples a second, one byte each.
enum Sounds {
    static let rate = 8000

    /// The bell at Wick Rock: strokes in pairs over a swell, each a handful of partials that are no harmonics.
    static func bell() -> [UInt8] {
        let strokes = [(0.15, 0.9), (0.62, 0.5), (1.75, 0.8), (2.15, 0.35)]
        let partials = [
            (0.5, 0.30, 1.1), (1.0, 0.34, 1.6), (1.19, 0.2, 2.1), (1.56, 0.16, 2.6), (2.0, 0.2, 3.2), (2.66, 0.1, 5.0),
        ]
        var dice = Dice(seed: 11)
        var wash = 0.0
        return wav(seconds: 3) { time in
            wash += (Double(dice.roll(2001)) / 1000 - 1 - wash) * 0.06
            var level = wash * (0.16 + 0.1 * sin(time * 1.9))
            for (start, strength) in strokes where time >= start {
                for (ratio, weight, fall) in partials {
                    level += strength * weight * sin(2 * .pi * 392 * ratio * time) * exp(-(time - start) * fall)
                }
            }
            return level * 0.7
        }
    }

    /// The free clock by wire: a click each second, and the softer one half-way.
    static func tick() -> [UInt8] {
        wav(seconds: 2) { time in
            let beat = time * 2 - floor(time * 2)
            let strength = Int(time * 2) % 2 == 0 ? 0.9 : 0.45
            return strength * exp(-beat * 90) * sin(2 * .pi * 1900 * beat)
        }
    }

    private static func wav(seconds: Int, level: (Double) -> Double) -> [UInt8] {
        let samples = (0..<(seconds * rate)).map { index in
            UInt8(128 + max(-1, min(1, level(Double(index) / Double(rate)))) * 120)
        }
        var file = Array("RIFF".utf8) + littleEndian(36 + samples.count, 4) + Array("WAVEfmt ".utf8)
        file += littleEndian(16, 4) + littleEndian(1, 2) + littleEndian(1, 2)
        file += littleEndian(rate, 4) + littleEndian(rate, 4) + littleEndian(1, 2) + littleEndian(8, 2)
        return file + Array("data".utf8) + littleEndian(samples.count, 4) + samples
    }

    private static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
