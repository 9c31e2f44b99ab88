package import FoundationEssentials

/// What can be bound to a parameter of a statement.
///
/// A `String`, `[UInt8]` or `Data` is copied once. An `UnsafeRawBufferPointer` is not: SQLite reads it where it is, and
/// the call that binds it forgets it before it returns.
///
/// ```swift
/// try body.bytes.withUnsafeBytes { (bytes) throws(DatabaseError) in
///     try connection.run("INSERT INTO payload (key, body) VALUES (?, ?)", key, bytes)
/// }
/// ```
package protocol Bindable {
    /// Binds the value to the next parameter.
    func bind(to bindings: inout Bindings)
}

extension Int64: Bindable {
    package func bind(to bindings: inout Bindings) { bindings.append(integer: self) }
}

extension Int: Bindable {
    package func bind(to bindings: inout Bindings) { bindings.append(integer: Int64(self)) }
}

extension Bool: Bindable {
    package func bind(to bindings: inout Bindings) { bindings.append(integer: self ? 1 : 0) }
}

/// SQLite keeps no NaN: it is stored as NULL.
extension Double: Bindable {
    package func bind(to bindings: inout Bindings) { bindings.append(real: self) }
}

extension String: Bindable {
    package func bind(to bindings: inout Bindings) { bindings.append(text: self) }
}

extension [UInt8]: Bindable {
    package func bind(to bindings: inout Bindings) {
        withUnsafeBytes { bindings.append(copying: $0) }
    }
}

extension Data: Bindable {
    package func bind(to bindings: inout Bindings) {
        withUnsafeBytes { bindings.append(copying: $0) }
    }
}

extension UnsafeRawBufferPointer: Bindable {
    package func bind(to bindings: inout Bindings) { bindings.append(borrowing: self) }
}

extension Optional: Bindable where Wrapped: Bindable {
    package func bind(to bindings: inout Bindings) {
        switch self {
        case .some(let value): value.bind(to: &bindings)
        case .none: bindings.appendNull()
        }
    }
}
