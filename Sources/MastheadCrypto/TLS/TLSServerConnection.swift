import CMastheadOpenSSL

/// One client's TLS connection over a blocking socket, which stays its maker's to close.
///
/// ```swift
/// let connection = try TLSServerConnection(context, descriptor: descriptor)
/// try connection.accept()
/// let count = connection.read(into: buffer)
/// ```
///
/// For one thread at a time. A thread that writes must have `SIGPIPE` blocked or ignored: OpenSSL writes with `write`.
package final class TLSServerConnection: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: used by one thread at a time, that of its connection.
    private let handle: OpaquePointer
    /// What OpenSSL calls back into while it agrees with a client.
    private let context: TLSServerContext

    /// What the client complained of, as OpenSSL names it (RFC 8446, section 6); its goodbye too.
    package private(set) var alerts: [String] = []

    /// How many bytes the client has sent, once TLS was taken off.
    package private(set) var receivedBytes = 0

    /// Lays TLS over a socket.
    package init(_ context: TLSServerContext, descriptor: Int32) throws(CryptoError) {
        guard let handle = SSL_new(context.handle) else { throw .last("SSL_new") }
        self.handle = handle
        self.context = context
        guard SSL_set_fd(handle, descriptor) == 1 else { throw .last("SSL_set_fd") }
        SSL_set_ex_data(handle, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_free(handle)
    }

    /// The protocol that was agreed on, such as `TLSv1.3`.
    package var version: String { String(cString: SSL_get_version(handle)) }

    /// Whether the client went on with an earlier session.
    package var isResumed: Bool { SSL_session_reused(handle) == 1 }

    /// The common name in the certificate that the client showed; `nil` if it showed none.
    package var clientName: String? {
        guard let certificate = SSL_get0_peer_certificate(handle) else { return nil }
        var name = [CChar](repeating: 0, count: 256)
        let subject = X509_get_subject_name(certificate)
        guard X509_NAME_get_text_by_NID(subject, NID_commonName, &name, Int32(name.count)) > 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The host's name that the client asked for (RFC 6066, section 3); `nil` if it named none.
    package var serverName: String? {
        SSL_get_servername(handle, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// The protocol that was chosen by ALPN (RFC 7301); `nil` if the client offered none.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(handle, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    /// Whether bytes have come that a read would give without waiting, though the socket shows none.
    package var hasPending: Bool { SSL_pending(handle) > 0 }

    /// Agrees with the client.
    package func accept() throws(CryptoError) {
        guard isDone({ SSL_accept(handle) }) else { throw .last("SSL_accept") }
    }

    /// Reads what has come, waiting for at least one byte; 0 at the end of the stream or after an error.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        let isRead = isDone { SSL_read_ex(handle, buffer.baseAddress, buffer.count, &count) }
        ERR_clear_error()
        guard isRead else { return 0 }
        receivedBytes += count
        return count
    }

    /// Writes everything; `false` if the client is gone.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        var count = 0
        let isWritten = isDone { SSL_write_ex(handle, bytes.baseAddress, bytes.count, &count) }
        ERR_clear_error()
        return isWritten
    }

    /// Tells the client that nothing more comes (RFC 8446, section 6.1); does not wait for its answer.
    package func sayGoodbye() {
        ERR_clear_error()
        SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// OpenSSL calls this whatever happens; of what happens only an alert that came is of interest.
    static let noteAlert: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { handle, event, value in
        guard event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, let context = SSL_get_ex_data(handle, 0) else { return }
        let connection = Unmanaged<TLSServerConnection>.fromOpaque(context).takeUnretainedValue()
        connection.alerts.append(String(cString: SSL_alert_desc_string_long(value)))
    }

    /// Repeats a call that a signal interrupted.
    private func isDone(_ call: () -> Int32) -> Bool {
        while true {
            ERR_clear_error()
            let result = call()
            if result > 0 { return true }
            let error = SSL_get_error(handle, result)
            guard error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE else { return false }
        }
    }
}
