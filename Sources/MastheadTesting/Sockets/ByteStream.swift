/// What a connection is read from and written to: the socket itself, or TLS over it.
package protocol ByteStream: Sendable {
    /// Reads what has come, waiting for at least one byte; 0 at the end of the stream or after an error.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int

    /// Writes everything; `false` if the peer is gone.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Says goodbye before an orderly close.
    func sayGoodbye()
}

extension ByteStream {
    /// Writes everything; `false` if the peer is gone.
    package func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { write($0) }
    }
}

extension ClientSocket: ByteStream {
    package func sayGoodbye() {}
}
