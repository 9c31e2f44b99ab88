/// That pins let nothing be sent on a connection.
package struct PinRefusal: Hashable, Sendable {
    /// What is to be reported of it, once it is the end of an exchange.
    package let event: PinEvent
    /// The number of the pins that refused it.
    let generation: UInt64

    /// Why, with all that is needed to put it right.
    package var failure: PinFailure { event.failure }
}
