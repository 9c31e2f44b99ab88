import Glibc

/// The five covers: one sky each.
enum Covers {
    static let width = 300
    static let height = 400

    /// Night, dusk and paper, the same sixteen for all covers.
    static let palette: [UInt32] = [
        0x0B1326, 0x14213D, 0x1D3557, 0x2C4C73, 0x2A6F77, 0x5E8AA0, 0x8FA6B8, 0xC9D3D6,
        0xF4ECD8, 0xF2B134, 0xD98E4A, 0xC8553D, 0x8A3B2E, 0x6B4226, 0xE9D8B4, 0xDFF1F5,
    ]

    static func cover(_ number: Int) -> Canvas {
        var canvas = Canvas(width: width, height: height)
        switch number {
        case 1: drawDome(on: &canvas)
        case 2: drawTimeBall(on: &canvas)
        case 3: drawShortNight(on: &canvas)
        case 4: drawMeteors(on: &canvas)
        default: drawFog(on: &canvas)
        }
        let ink: UInt8 = number == 2 || number == 5 ? 1 : 8
        Lettering.draw("THE", at: (124, 22), size: 3, ink, on: &canvas)
        Lettering.draw("NIGHTGLASS", at: (32, 50), size: 4, ink, on: &canvas)
        canvas.rectangle(32, 84, 236, 2, ink)
        Lettering.draw(String(number), at: (258, 366), size: 4, number == 5 ? 1 : 9, on: &canvas)
        return canvas
    }

    private static func hill(_ x: Int, base: Double, swing: Double, phase: Double) -> Int {
        Int(base - swing * sin(Double(x) / 95 + phase))
    }

    private static func sea(on canvas: inout Canvas, from top: Int, _ colours: [UInt8]) {
        canvas.gradient(colours, rows: top..<height)
        var dice = Dice(seed: UInt64(top))
        for _ in 0..<140 {
            let y = top + 4 + dice.roll(height - top - 6)
            let length = 3 + (y - top) / 8
            canvas.rectangle(dice.roll(width), y, length, 1, colours[0])
        }
    }

    private static func drawDome(on canvas: inout Canvas) {
        canvas.gradient([0, 1, 2, 3, 5], rows: 0..<330)
        canvas.stars(260, seed: 1, rows: 0..<280, [8, 6, 15, 9])
        canvas.fill(4) { $1 > hill($0, base: 330, swing: 26, phase: 0.2) }
        canvas.fill(0) { $1 > hill($0, base: 362, swing: 14, phase: 2.6) }
        canvas.rectangle(108, 262, 92, 52, 8)
        canvas.fill(6) { x, y in y < 264 && (x - 154) * (x - 154) + (y - 264) * (y - 264) < 50 * 50 }
        canvas.fill(0) { x, y in
            y < 262 && abs(x - 158) < 8 && (x - 154) * (x - 154) + (y - 264) * (y - 264) < 50 * 50
        }
        canvas.line(from: (158, 250), to: (196, 176), thickness: 6, 9)
        canvas.rectangle(146, 284, 16, 30, 12)
        canvas.rectangle(118, 280, 12, 12, 9)
        canvas.rectangle(178, 280, 12, 12, 9)
    }

    private static func drawTimeBall(on canvas: inout Canvas) {
        canvas.gradient([15, 8, 14, 9, 10], rows: 0..<300)
        canvas.disc(226, 250, radius: 34, 8)
        sea(on: &canvas, from: 296, [10, 4, 3])
        canvas.fill(1) { $1 > hill($0, base: 340, swing: 30, phase: 0.9) }
        canvas.rectangle(86, 250, 60, 64, 7)
        canvas.rectangle(82, 244, 68, 8, 11)
        canvas.line(from: (116, 244), to: (116, 120), thickness: 4, 13)
        canvas.disc(116, 160, radius: 18, 0)
        canvas.disc(110, 154, radius: 4, 6)
        canvas.rectangle(98, 270, 12, 16, 2)
        canvas.rectangle(122, 270, 12, 16, 2)
        for (x, y) in [(196, 150), (222, 164), (250, 140)] {
            canvas.line(from: (x - 9, y - 5), to: (x, y), thickness: 2, 1)
            canvas.line(from: (x, y), to: (x + 9, y - 5), thickness: 2, 1)
        }
    }

    private static func drawShortNight(on canvas: inout Canvas) {
        canvas.gradient([2, 3, 5, 14, 10], rows: 0..<310)
        for band in 0..<11 {
            for x in 0..<width {
                let y = 110 + band * 12 + Int(7 * sin(Double(x) / 19 + Double(band) * 0.9))
                canvas.rectangle(x, y, 1, band % 3 == 0 ? 4 : 2, 15)
            }
        }
        canvas.fill(1) { $1 > hill($0, base: 318, swing: 18, phase: 1.4) }
        canvas.line(from: (30, 352), to: (30, 292), thickness: 4, 13)
        canvas.line(from: (262, 348), to: (262, 288), thickness: 4, 13)
        canvas.line(from: (30, 296), to: (262, 292), 8)
        for (x, colour, length) in [(62, 8, 40), (106, 11, 30), (150, 7, 44), (206, 9, 26)] as [(Int, UInt8, Int)] {
            canvas.rectangle(x, 296, 30, length, colour)
        }
    }

    private static func drawMeteors(on canvas: inout Canvas) {
        canvas.gradient([0, 0, 1, 2], rows: 0..<250)
        canvas.stars(300, seed: 4, rows: 0..<246, [8, 6, 15])
        let trails = [(250, 110, 90), (130, 126, 60), (284, 190, 70), (190, 200, 40), (86, 190, 50)]
        for (index, trail) in trails.enumerated() {
            let end = (x: trail.0 - trail.2, y: trail.1 + trail.2 * 6 / 10)
            canvas.line(from: (trail.0, trail.1), to: end, thickness: index == 0 ? 3 : 2, index % 2 == 0 ? 8 : 9)
            canvas.disc(end.x, end.y, radius: index == 0 ? 3 : 2, 15)
        }
        sea(on: &canvas, from: 250, [4, 3, 2, 1])
        for (x, y) in [(60, 300), (150, 286), (214, 322), (108, 350), (196, 372)] {
            canvas.fill(6) { (($0 - x) * ($0 - x)) / 9 + ($1 - y) * ($1 - y) * 2 < 60 }
            canvas.fill(6) { $0 > x + 18 && $0 < x + 32 && abs($1 - y) < ($0 - x - 16) / 2 }
            for stripe in stride(from: -12, through: 12, by: 6) {
                canvas.line(from: (x + stripe, y - 4), to: (x + stripe + 3, y), thickness: 2, 2)
            }
            canvas[x - 17, y - 1] = 0
        }
    }

    private static func drawFog(on canvas: inout Canvas) {
        canvas.gradient([7, 15, 7, 6], rows: 0..<height)
        canvas.disc(218, 140, radius: 26, 15)
        canvas.line(from: (122, 320), to: (138, 190), thickness: 5, 5)
        canvas.line(from: (178, 320), to: (162, 190), thickness: 5, 5)
        canvas.rectangle(134, 186, 34, 6, 5)
        canvas.fill(10) { x, y in y > 216 && y < 262 && abs(x - 150) < 8 + (y - 216) / 4 }
        canvas.disc(150, 266, radius: 5, 13)
        canvas.rectangle(108, 318, 86, 16, 11)
        for band in 0..<9 {
            for x in 0..<width {
                let y = 250 + band * 17 + Int(5 * sin(Double(x) / 31 + Double(band) * 1.7))
                if (x + band * 37) % 90 < 62 { canvas.rectangle(x, y, 1, 5, band % 2 == 0 ? 15 : 7) }
            }
        }
    }

    /// What stands for a picture that has no small one: the instrument itself.
    static func emblem() -> Canvas {
        var canvas = Canvas(width: 48, height: 48, colour: 1)
        canvas.stars(24, seed: 7, rows: 0..<34, [8, 6])
        canvas.line(from: (10, 34), to: (36, 12), thickness: 7, 9)
        canvas.line(from: (34, 14), to: (38, 10), thickness: 9, 10)
        canvas.line(from: (22, 24), to: (14, 44), thickness: 2, 13)
        canvas.line(from: (22, 24), to: (32, 44), thickness: 2, 13)
        return canvas
    }
}
