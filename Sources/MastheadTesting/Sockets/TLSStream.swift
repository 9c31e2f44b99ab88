package import MastheadCrypto

/// TLS over the socket of one connection.
package struct TLSStream: ByteStream {
    private let connection: TLSServerConnection

    /// Agrees with the client.
    package init(_ context: TLSServerContext, over socket: ClientSocket) throws(CryptoError) {
        connection = try TLSServerConnection(context, descriptor: socket.descriptor)
        try connection.accept()
    }

    /// The host's name that the client asked for; `nil` if it named none.
    package var serverName: String? { connection.serverName }

    /// The protocol that was chosen by ALPN; `nil` if the client offered none.
    package var applicationProtocol: String? { connection.applicationProtocol }

    /// Whether bytes have come that a read would give without waiting, though the socket shows none.
    package var hasPending: Bool { connection.hasPending }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        connection.read(into: buffer)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        connection.write(bytes)
    }

    package func sayGoodbye() {
        connection.sayGoodbye()
    }
}
