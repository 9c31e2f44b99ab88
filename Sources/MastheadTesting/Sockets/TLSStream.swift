import MastheadCrypto

/// TLS over the socket of one connection.
struct TLSStream: ByteStream {
    private let connection: TLSServerConnection

    /// Agrees with the client.
    init(_ context: TLSServerContext, over socket: ClientSocket) throws(CryptoError) {
        connection = try TLSServerConnection(context, descriptor: socket.descriptor)
        try connection.accept()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        connection.read(into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        connection.write(bytes)
    }

    func sayGoodbye() {
        connection.sayGoodbye()
    }
}
