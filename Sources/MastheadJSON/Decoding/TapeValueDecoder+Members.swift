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
        let words = document.tape.words
        let end = Int(truncatingIfNeeded: words[index &+ 1] & 0xFFFF_FFFF)
        let start = cursor
        var place = start
        while place < end {
            let word = TapeWord(bits: words[place])
            if word.length == length, UTF8Bytes.areEqual(document.bytes + word.offset, name, count: length) {
                cursor = consumes ? document.tape.index(after: place &+ 1) : place
                return place &+ 1
            }
            place = document.tape.index(after: place &+ 1)
        }
        place = index &+ 2
        while place < start {
            let word = TapeWord(bits: words[place])
            if word.length == length, UTF8Bytes.areEqual(document.bytes + word.offset, name, count: length) {
                cursor = consumes ? document.tape.index(after: place &+ 1) : place
                return place &+ 1
            }
            place = document.tape.index(after: place &+ 1)
        }
        return nil
    }

    @inline(never)
    private func irregularMember(_ name: String) -> Int? {
        if let members { return members[name] }
        var members: [String: Int] = [:]
        members.reserveCapacity(document.elementCount(index))
        forEachName { name, value in
            // Of two with one name, the first.
            if members[name] == nil { members[name] = value }
        }
        self.members = members
        return members[name]
    }

    /// The names of the object's members in their order, as the keys have them, each once.
    var names: [String] {
        var names: [String] = []
        names.reserveCapacity(document.elementCount(index))
        if document.word(index).isPlainObject, document.hasPlainKeys {
            forEachName { name, _ in names.append(name) }
        } else {
            var seen: Set<String> = []
            forEachName { name, _ in if seen.insert(name).inserted { names.append(name) } }
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
