/// What a loop is for: exchanges share a thread, its connections and its TLS sessions only with those of an equal key.
package struct LoopKey: Sendable, Hashable {
    /// What the loop's thread may spend its time with.
    package enum Purpose: Sendable, Hashable {
        /// Exchanges that never block.
        case exchanges
        /// Exchanges whose bodies are written into files or read from them: a slow disk holds up its own kind alone.
        case files
    }

    var policy: TrustPolicy
    var purpose: Purpose
    var route: TransportRoute
}
