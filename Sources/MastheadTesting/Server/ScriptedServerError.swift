#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why a ``ScriptedServer`` could not start, or has nothing more to tell.
///
/// ```swift
/// do {
///     server = try ScriptedServer(.json("[]"))
/// } catch .system(let operation, let code) {
///     Issue.record("\(operation): \(code)")
/// }
/// ```
public enum ScriptedServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A call of the system failed: its name, and the `errno` it left.
    case system(operation: String, code: Int32)

    /// A key of the routes is not a method, one space and a target that begins with `/`, or says what another says.
    case invalidRoute(String)

    /// The certificate or the TLS context could not be made.
    case tls(reason: String)

    /// The server was stopped before what was waited for came.
    case stopped

    /// What happened, with the system's text for a code.
    public var description: String {
        switch self {
        case .system(let operation, let code): "\(operation) failed: \(String(cString: strerror(code))) (\(code))"
        case .invalidRoute(let route): "\"\(route)\" is no route; write one like \"GET /volumes\""
        case .tls(let reason): "TLS could not be set up: \(reason)"
        case .stopped: "the server was stopped before that came"
        }
    }
}
