import MastheadLock

/// The types' names as they stand in files, each made once: the runtime takes its time.
enum TypeNames {
    /// A name in the forms it is needed in.
    private struct Name {
        let text: String
        let bytes: [UInt8]
        /// What stands before the app's own key.
        let prefix: [UInt8]
    }

    /// In the order of their types' addresses: to make a dictionary the runtime looks through all conformances of the
    /// program first, which takes longer than reading a payload.
    private static let names = Lock<[(type: UInt, name: Name)]>([])

    /// The name with its module, the same in every run of the app, whatever the type's access.
    static func name(of type: Any.Type) -> String { known(type).text }

    /// The name in UTF-8.
    static func bytes(of type: Any.Type) -> [UInt8] { known(type).bytes }

    /// What the keys of the type's models begin with in the file.
    static func prefix(of type: Any.Type) -> [UInt8] { known(type).prefix }

    private static func known(_ type: Any.Type) -> Name {
        names.withLock { names in
            let address = UInt(bitPattern: ObjectIdentifier(type))
            var (low, high) = (0, names.count)
            while low < high {
                let middle = (low + high) / 2
                if names[middle].type < address { low = middle + 1 } else { high = middle }
            }
            if low < names.count, names[low].type == address { return names[low].name }
            // A private type's name in words has an address in it.
            let text = _mangledTypeName(type) ?? String(reflecting: type)
            let name = Name(text: text, bytes: Array(text.utf8), prefix: Array("model\u{1}\(text)\u{1}".utf8))
            names.insert((address, name), at: low)
            return name
        }
    }
}
