/// A type's name as written in code: `[Volume]?` rather than `Optional<Array<Volume>>`.
struct ModelName: Sendable {
    /// The name.
    let text: String

    /// What kind of JSON value the type is made of, or its name.
    let kind: String

    init(_ type: Any.Type) {
        text = (type as? any Sugared.Type)?.name ?? "\(type)"
        // Foundation names these two when it wanted an object or an array, whatever the model.
        kind =
            switch text {
            case "[Any]": "an array"
            case "[String: Any]": "an object"
            default: text
            }
    }
}

/// A type that code writes with brackets or a question mark.
private protocol Sugared {
    static var name: String { get }
}

extension Array: Sugared {
    fileprivate static var name: String { "[\(ModelName(Element.self).text)]" }
}

extension Optional: Sugared {
    fileprivate static var name: String { "\(ModelName(Wrapped.self).text)?" }
}

extension Dictionary: Sugared {
    fileprivate static var name: String { "[\(ModelName(Key.self).text): \(ModelName(Value.self).text)]" }
}
