import CMastheadOpenSSL

/// Why OpenSSL did not do what it was asked to.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A function failed: its name, and OpenSSL's reason if it gave one.
    case openSSL(function: String, reason: String)

    /// A value that was handed in cannot be used; what is wrong with it.
    case invalidInput(String)

    /// What was to be decrypted is not what was encrypted: another key, or a changed byte.
    case notAuthentic

    package var description: String {
        switch self {
        case .openSSL(let function, let reason): "\(function) failed: \(reason)"
        case .invalidInput(let reason): reason
        case .notAuthentic: "the key is another one, or a byte was changed"
        }
    }

    /// The error for a function that has just failed on this thread; takes everything off OpenSSL's queue of errors.
    static func last(_ function: String) -> CryptoError {
        var reason: String?
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            // The first is the cause, what follows are those who passed it on.
            if reason == nil { reason = text(of: code) }
        }
        return .openSSL(function: function, reason: reason ?? "no reason given")
    }

    private static func text(of code: UInt) -> String {
        if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            ERR_error_string_n(code, buffer.baseAddress, buffer.count)
            return buffer.baseAddress.map { String(cString: $0) } ?? "code \(code)"
        }
    }
}
