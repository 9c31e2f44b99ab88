/// One value of a document with what was made of those within, for types that take any JSON.
package enum JSONPiece<Tree> {
    case null
    case bool(Bool)
    /// A whole number that is written as one.
    case integer(Int64)
    /// Any other number, as it is written.
    case number(String)
    case string(String)
    case array([Tree])
    /// Members by name, each name once, in no order.
    case object([String: Tree])
}

extension TapeDecoder {
    /// Makes a tree of the value that a decoder is at, without asking it for one type after the other.
    ///
    /// Names are as written, whatever the strategy for keys is, as those of a dictionary.
    ///
    /// - Returns: The tree; `nil` if the decoder is not one of ours.
    package static func tree<Tree>(of decoder: any Decoder, _ make: (JSONPiece<Tree>) -> Tree) -> Tree? {
        guard let decoder = decoder as? TapeValueDecoder else { return nil }
        return decoder.index < 0 ? make(.null) : decoder.document.tree(at: decoder.index, make)
    }
}

extension JSONDocument {
    /// No deeper than the document may be.
    fileprivate func tree<Tree>(at index: Int, _ make: (JSONPiece<Tree>) -> Tree) -> Tree {
        let word = word(index)
        switch word.kind {
        case .null: return make(.null)
        case .false: return make(.bool(false))
        case .true: return make(.bool(true))
        case .ascii, .text, .escaped: return make(.string(text(word)))
        case .integer:
            if let value = try? integer(index, Int64.self) { return make(.integer(value)) }
            return make(.number(text(word)))
        case .real: return make(.number(text(word)))
        case .array:
            var elements: [Tree] = []
            elements.reserveCapacity(elementCount(index))
            var place = index + 2
            for _ in 0..<elementCount(index) {
                elements.append(tree(at: place, make))
                place = tape.index(after: place)
            }
            return make(.array(elements))
        case .object, .irregularObject:
            var members: [String: Tree] = [:]
            members.reserveCapacity(elementCount(index))
            var place = index + 2
            for _ in 0..<elementCount(index) {
                let name = text(self.word(place))
                let value = tree(at: place + 1, make)
                // Of two with one name, the first.
                if members[name] == nil { members[name] = value }
                place = tape.index(after: place + 1)
            }
            return make(.object(members))
        }
    }
}
