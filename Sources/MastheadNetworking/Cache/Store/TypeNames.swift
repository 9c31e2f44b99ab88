import MastheadLock

/// The types' names as they stand in files, each made once: the runtime takes its time.
enum TypeNames {
    private static let names = Lock<[ObjectIdentifier: String]>([:])

    /// The name with its module, the same in every run of the app, whatever the type's access.
    static func name(of type: Any.Type) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            // A private type's name in words has an address in it.
            let name = _mangledTypeName(type) ?? String(reflecting: type)
            names[ObjectIdentifier(type)] = name
            return name
        }
    }
}
