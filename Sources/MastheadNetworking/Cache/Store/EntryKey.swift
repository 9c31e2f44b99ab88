/// What an entry is found by: the answers to a request, or a model by the app's own key.
struct EntryKey: Sendable, Hashable {
    /// The model's type; `nil` for the answers of a server.
    let type: Any.Type?

    /// The app's key, or what the request asks for.
    let text: String

    /// The key of the answers to a request.
    static func answers(to target: String) -> EntryKey {
        EntryKey(type: nil, text: target)
    }

    /// What stands for it in the file, before it may be sealed.
    var stored: String {
        guard let type else { return "answer\u{1}\(text)" }
        return "model\u{1}\(TypeNames.name(of: type))\u{1}\(text)"
    }

    static func == (left: EntryKey, right: EntryKey) -> Bool {
        // By their bytes, as the file has them: two spellings of one letter are two keys.
        left.type == right.type && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        if let type { hasher.combine(ObjectIdentifier(type)) }
        let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
