/// Cuts the piece out of an article that says best what was searched for.
///
/// The index has a function for that, which compares each place with all others: one letter in a text of 50,000 words takes
/// it half a minute.
enum SnippetCutter {
    /// How many characters a piece has, about.
    private static var length: Int { 150 }

    /// A part of the article, and where in its UTF-8 what was searched for stands.
    fileprivate struct Part {
        var bytes: [UInt8] = []
        var places: [Range<Int>] = []
    }

    /// Some places that one piece can show, and how many they are: those of different words first.
    fileprivate struct Choice {
        var places: Range<Int>
        var score = 0
    }

    /// Cuts one piece.
    ///
    /// - Parameter parts: The parts of an article, with marks around what was found.
    /// - Returns: The best piece of the best part; if nothing stands between marks, the beginning of the first.
    static func piece(of parts: [[UInt8]]) -> HighlightedText {
        var best: (part: Part, choice: Choice)?
        for part in parts where part.hasByte(0xEE) {
            let part = Part(marked: part)
            guard let choice = part.choice(within: part.width(of: length)) else { continue }
            if choice.score > best?.choice.score ?? 0 { best = (part, choice) }
        }
        guard let best else {
            let part = Part(bytes: parts.first { !$0.isEmpty } ?? [])
            return part.cut(0..<min(part.width(of: length), part.bytes.count))
        }
        return best.part.piece(around: best.choice, width: best.part.width(of: length))
    }
}

extension SnippetCutter.Part {
    fileprivate init(marked: [UInt8]) {
        bytes.reserveCapacity(marked.count)
        var start: Int?
        var index = 0
        while index < marked.count {
            // The marks are U+E000 and U+E001.
            if marked[index] == 0xEE, index + 2 < marked.count, marked[index + 1] == 0x80, marked[index + 2] <= 0x81 {
                if marked[index + 2] == 0x80 {
                    start = bytes.count
                } else if let begun = start {
                    places.append(begun..<bytes.count)
                    start = nil
                }
                index += 3
            } else {
                bytes.append(marked[index])
                index += 1
            }
        }
    }

    /// How many bytes as many characters have in this text.
    fileprivate func width(of characters: Int) -> Int {
        let count = bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        return count == 0 ? characters : characters * bytes.count / count
    }

    /// The places that are best shown together.
    fileprivate func choice(within width: Int) -> SnippetCutter.Choice? {
        let words = places.map { String(decoding: bytes[$0], as: UTF8.self).lowercased() }
        var best: SnippetCutter.Choice?
        var counts: [String: Int] = [:]
        var end = 0
        for start in places.indices {
            while end < places.count, end == start || places[end].upperBound <= places[start].lowerBound + width {
                counts[words[end], default: 0] += 1
                end += 1
            }
            let score = counts.count * 1000 + end - start
            if score > best?.score ?? 0 { best = SnippetCutter.Choice(places: start..<end, score: score) }
            counts[words[start], default: 0] -= 1
            if counts[words[start]] == 0 { counts[words[start]] = nil }
        }
        return best
    }

    fileprivate func piece(around choice: SnippetCutter.Choice, width: Int) -> HighlightedText {
        let first = places[choice.places.lowerBound].lowerBound
        let last = min(places[choice.places.upperBound - 1].upperBound, first + width)
        var start = max(0, first - (width - (last - first)) / 2)
        let end = min(bytes.count, start + width)
        start = max(0, end - width)
        if start > 0 { start = self.start(start, before: first) }
        return cut(start..<(end == bytes.count ? end : self.end(end, after: last)))
    }

    /// Where the first word begins after a place; the place itself, or a character's beginning near it, if none does.
    private func start(_ place: Int, before limit: Int) -> Int {
        if let space = bytes[place..<limit].firstIndex(where: isSpace) { return space + 1 }
        return bytes[place..<limit].firstIndex { $0 & 0xC0 != 0x80 } ?? limit
    }

    /// Where the last word ends before a place; the place itself, or a character's end near it, if none does.
    private func end(_ place: Int, after limit: Int) -> Int {
        if let space = bytes[limit..<place].lastIndex(where: isSpace) { return space }
        var place = place
        while place > 0, bytes[place] & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    fileprivate func cut(_ range: Range<Int>) -> HighlightedText {
        let isWhole = (start: range.lowerBound == 0, end: range.upperBound == bytes.count)
        return HighlightedText(bytes[range], isAtStart: isWhole.start, isAtEnd: isWhole.end, places)
    }
}
