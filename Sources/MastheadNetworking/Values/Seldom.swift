/// A value that is there in few cases, kept apart: what holds it stays small, and costs no more to hand on without it.
@propertyWrapper
package struct Seldom<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box?

    package init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }
}

extension Seldom: Equatable where Value: Equatable {
    package static func == (left: Seldom, right: Seldom) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Seldom: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}
