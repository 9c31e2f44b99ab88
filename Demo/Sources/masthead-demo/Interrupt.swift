import Dispatch
import Glibc

/// Interrupts from the keyboard.
enum Interrupt {
    /// Calls `action` at the first SIGINT or SIGTERM; the next ends the process as it would have.
    static func onFirst(_ action: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                action()
                source.cancel()
            }
            source.resume()
        }
    }
}
