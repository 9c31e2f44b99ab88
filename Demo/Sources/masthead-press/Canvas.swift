/// A picture of sixteen colours, drawn pixel by pixel.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    init(width: Int, height: Int, colour: UInt8 = 0) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: colour, count: width * height)
    }

    subscript(x: Int, y: Int) -> UInt8 {
        get { pixels[y * width + x] }
        set {
            // Shapes may hang over the edge.
            guard x >= 0, y >= 0, x < width, y < height else { return }
            pixels[y * width + x] = newValue
        }
    }

    mutating func fill(_ colour: UInt8, where isInside: (_ x: Int, _ y: Int) -> Bool) {
        for y in 0..<height {
            for x in 0..<width where isInside(x, y) { self[x, y] = colour }
        }
    }

    mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ colour: UInt8) {
        for row in y..<(y + height) {
            for column in x..<(x + width) { self[column, row] = colour }
        }
    }

    mutating func disc(_ x: Int, _ y: Int, radius: Int, _ colour: UInt8) {
        for row in -radius...radius {
            for column in -radius...radius where column * column + row * row <= radius * radius + radius / 2 {
                self[x + column, y + row] = colour
            }
        }
    }

    mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), thickness: Int = 1, _ colour: UInt8) {
        let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
        for step in 0...steps {
            let x = start.x + (end.x - start.x) * step / steps
            let y = start.y + (end.y - start.y) * step / steps
            rectangle(x - thickness / 2, y - thickness / 2, thickness, thickness, colour)
        }
    }

    /// Paints bands of colour from top to bottom, each melting into the next by an ordered pattern.
    mutating func gradient(_ colours: [UInt8], rows: Range<Int>) {
        let pattern: [[Int]] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]
        for y in rows {
            let place = (y - rows.lowerBound) * 16 * (colours.count - 1) / rows.count
            for x in 0..<width {
                let next = place % 16 > pattern[y / 2 % 4][x / 2 % 4]
                self[x, y] = colours[min(place / 16 + (next ? 1 : 0), colours.count - 1)]
            }
        }
    }

    /// Strews points, the same ones for the same seed.
    mutating func stars(_ count: Int, seed: UInt64, rows: Range<Int>, _ colours: [UInt8]) {
        var dice = Dice(seed: seed)
        for index in 0..<count {
            let x = dice.roll(width)
            let y = rows.lowerBound + dice.roll(rows.count)
            self[x, y] = colours[index % colours.count]
            if index % 9 == 0 {
                for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] { self[x + dx, y + dy] = colours[0] }
            }
        }
    }

    /// Every `factor`th pixel of every `factor`th row.
    func reduced(by factor: Int) -> Canvas {
        var small = Canvas(width: width / factor, height: height / factor)
        for y in 0..<small.height {
            for x in 0..<small.width { small[x, y] = self[x * factor, y * factor] }
        }
        return small
    }
}

/// Throws the same numbers each time, so that the same press prints the same picture.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    }

    mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % sides
    }
}
