import FoundationEssentials

extension TapeValueDecoder {
    /// The value of the object's member of that name; `nil` if there is none.
    ///
    /// The next search begins behind it if it is consumed, and else with it.
    @inline(__always)
    func member(_ key: some CodingKey, consumes: Bool = true) -> Int? {
        let document = document
        guard document.word(index).isPlainObject, document.hasPlainKeys else {
            return irregularMember(key.stringValue)
        }
        var name = key.stringValue
        return name.withUTF8 { name in
            guard let bytes = name.baseAddress else {
                return search(document, UnsafePointer(document.bytes), 0, consumes)
            }
            return search(document, bytes, name.count, consumes)
        } ?? (name.isPlainASCII ? nil : irregularMember(name))
    }

    /// The member or element that a key leads to; `nil` if it leads nowhere.
    func child(_ key: any CodingKey) -> Int? {
        let word = document.word(index)
        if word.isObject { return member(key, consumes: false) }
        guard word.isArray, let wanted = key.intValue, wanted >= 0, wanted < document.elementCount(index) else {
            return nil
        }
        var place = index + 2
        for _ in 0..<wanted { place = document.tape.index(after: place) }
        return place
    }

    /// Goes from name to name, once around.
    @inline(__always)
    private func search(_ document: JSONDocument, _ name: UnsafePointer<UInt8>, _ length: Int, _ consumes: Bool) -> Int?
    {
        let start = cursor
        let end = document.tape.index(after: index)
        return search(document, name, length, consumes, from: start, to: end)
            ?? search(document, name, length, consumes, from: index &+ 2, to: start)
    }

    @inline(__always)
    private func search(
        _ document: JSONDocument,
        _ name: UnsafePointer<UInt8>,
        _ length: Int,
        _ consumes: Bool,
        from start: Int,
        to end: Int
    ) -> Int? {
        var place = start
        while place < end {
            let word = document.word(place)
            let next = document.tape.index(after: place &+ 1)
            if word.length == length, UTF8Bytes.areEqual(document.bytes + word.offset, name, count: length) {
                cursor = consumes ? next : place
                return place &+ 1
            }
            place = next
        }
        return nil
    }

    @inline(never)
    private func irregularMember(_ name: String) -> Int? {
        // Whoever goes through all keys goes through them in their order.
        if areDistinct, cursor < document.tape.index(after: index) {
            let word = document.word(cursor)
            if !word.isEscaped, document.hasBytes(of: name, word) {
                let value = cursor + 1
                cursor = document.tape.index(after: value)
                return value
            }
        }
        return membersByName[name]
    }

    /// The values of the object's members by name; of two with one name, the first.
    private var membersByName: [String: Int] {
        if let members { return members }
        var members: [String: Int] = [:]
        members.reserveCapacity(document.elementCount(index))
        forEachName { name, value in
            if members[name] == nil { members[name] = value }
        }
        areDistinct = document.hasPlainKeys && members.count == document.elementCount(index)
        self.members = members
        return members
    }

    /// The names of the object's members in their order, as the keys have them, each once.
    var names: [String] {
        var names: [String] = []
        names.reserveCapacity(document.elementCount(index))
        if document.word(index).isPlainObject, document.hasPlainKeys {
            forEachName { name, _ in names.append(name) }
        } else {
            let members = membersByName
            forEachName { name, value in if areDistinct || members[name] == value { names.append(name) } }
        }
        return names
    }

    private func forEachName(_ body: (String, Int) -> Void) {
        let end = document.tape.index(after: index)
        var place = index + 2
        var path: [any CodingKey]?
        while place < end {
            let written = document.text(document.word(place))
            switch document.options.keys {
            case .useDefaultKeys: body(written, place + 1)
            case .convertFromSnakeCase: body(document.converted(written), place + 1)
            case .custom(let convert):
                let base = path ?? codingPath
                path = base
                body(convert(base + [TapeKey(stringValue: written)]).stringValue, place + 1)
            @unknown default: body(written, place + 1)
            }
            place = document.tape.index(after: place + 1)
        }
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Names are keys as they are.
    var isDefault: Bool {
        if case .useDefaultKeys = self { true } else { false }
    }
}

extension JSONDocument {
    /// A name as Foundation's strategy makes it, made once in a document.
    fileprivate func converted(_ name: String) -> String {
        if let known = convertedNames[name] { return known }
        let converted = name.convertedFromSnakeCase
        convertedNames[name] = converted
        return converted
    }
}

extension JSONDocument {
    /// Whether a string without escapes is written with the bytes of a name.
    fileprivate func hasBytes(of name: String, _ word: TapeWord) -> Bool {
        var name = name
        return name.withUTF8 { name in
            guard let bytes = name.baseAddress, name.count == word.length else {
                return name.isEmpty && word.length == 0
            }
            return UTF8Bytes.areEqual(self.bytes + word.offset, bytes, count: name.count)
        }
    }
}

extension String {
    fileprivate var isPlainASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// The name as `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase` makes it: `publish_date` to `publishDate`,
    /// underscores at the start and the end kept.
    package var convertedFromSnakeCase: String {
        let words = split(separator: "_")
        guard let first = words.first, let last = words.last else { return self }
        let leading = self[..<first.startIndex]
        let trailing = self[last.endIndex...]
        guard words.count > 1 else { return self }
        return leading + first.lowercased() + words.dropFirst().map(\.capitalizedWord).joined() + trailing
    }
}

extension Substring {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
