extension CacheControl {
    /// Nobody means more than this; a longer field is read as if it forbade everything.
    private static let maximumLength = 8192

    /// More than this many fields of `no-cache="…"` are taken for all.
    private static let maximumFields = 32

    /// Reads the field's lines, each a list by itself.
    init(lines: [String]) {
        guard lines.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumLength else {
            noStore = true
            noCache = true
            return
        }
        for line in lines {
            var reader = DirectiveReader(line)
            while let directive = reader.next() { apply(directive) }
            // What it was meant to say is anybody's guess.
            if reader.isBroken { noCache = true }
        }
    }

    private mutating func apply(_ directive: DirectiveReader.Directive) {
        let argument = directive.argument
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": applyNoCache(argument)
        case "max-age": maxAge = min(maxAge ?? .max, Self.seconds(argument) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? Self.maximumSeconds)
        case "max-stale":
            let seconds = argument == .none ? Self.maximumSeconds : Self.seconds(argument) ?? 0
            maxStale = min(maxStale ?? .max, seconds)
        case "only-if-cached": onlyIfCached = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": isImmutable = true
        case "stale-while-revalidate":
            staleWhileRevalidate = min(staleWhileRevalidate ?? .max, Self.seconds(argument) ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? .max, Self.seconds(argument) ?? 0)
        default: break
        }
    }

    /// Takes the names of fields; what is no list of names forbids the whole answer.
    private mutating func applyNoCache(_ argument: DirectiveReader.Argument) {
        guard case .value(let list) = argument else {
            noCache = true
            return
        }
        let names = list.utf8.split(separator: UInt8(ascii: ",")).map {
            String(Substring($0)).trimmingBlanks.lowercased()
        }
        let areTokens = names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCIISet.token.contains) }
        guard !names.isEmpty, areTokens, noCacheFields.count + names.count <= Self.maximumFields else {
            noCache = true
            return
        }
        noCacheFields.formUnion(names)
    }

    /// Reads a number of seconds (section 1.2.2), quoted or not; `nil` if it is none.
    private static func seconds(_ argument: DirectiveReader.Argument) -> Int? {
        guard case .value(let text) = argument, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Int(text) ?? maximumSeconds, maximumSeconds)
    }
}
