package import MastheadCrypto

/// TLS over the socket of one connection.
package struct TLSStream: ByteStream {
    private let connection: TLSServerConnection
    private let record: TLSRecord
    private let number: Int

    /// Agrees with the client; what comes of it is in the server's record, also if they don't agree.
    package init(_ tls: ServerTLS, over socket: ClientSocket, number: Int) throws(CryptoError) {
        connection = try TLSServerConnection(tls.context, descriptor: socket.descriptor)
        record = tls.record
        self.number = number
        defer { note() }
        try connection.accept()
        isAgreed = true
    }

    private var isAgreed = false

    private func note() {
        record.note(
            TLSPassage(
                connection: number,
                version: connection.version,
                serverName: connection.serverName,
                clientName: connection.clientName,
                isAgreed: isAgreed,
                isResumed: connection.isResumed,
                alerts: connection.alerts,
                receivedBytes: connection.receivedBytes
            )
        )
    }

    /// The host's name that the client asked for; `nil` if it named none.
    package var serverName: String? { connection.serverName }

    /// The protocol that was chosen by ALPN; `nil` if the client offered none.
    package var applicationProtocol: String? { connection.applicationProtocol }

    /// Whether bytes have come that a read would give without waiting, though the socket shows none.
    package var hasPending: Bool { connection.hasPending }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = connection.read(into: buffer)
        note()
        return count
    }

    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        connection.write(bytes)
    }

    package func sayGoodbye() {
        connection.sayGoodbye()
    }
}
