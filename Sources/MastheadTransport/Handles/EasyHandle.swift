import CMastheadCurl

/// One easy handle, freed with this object.
///
/// Options are set through ``set(_:_:)``, which throws what libcurl refuses: an option that did not take must never be
/// believed to hold.
final class EasyHandle {
    /// Takes or gives bytes: the bytes, the size and number of their items, and the context.
    typealias DataCallback =
        @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    /// Asks leave to send on a connection: the context, then both ends' addresses and ports.
    typealias PrereqCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32, Int32
        ) -> Int32

    /// Gives a socket: the context, what it is for, and the address it would be connected to.
    typealias SocketCallback =
        @convention(c) (UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t

    /// Sets a socket up: the context, the socket and what it is for.
    typealias SocketOptionCallback =
        @convention(c) (UnsafeMutableRawPointer?, curl_socket_t, curlsocktype) -> Int32

    /// Asks to go back in a request's body: the context, the offset, and from where it counts.
    typealias SeekCallback = @convention(c) (UnsafeMutableRawPointer?, curl_off_t, Int32) -> Int32

    /// Takes a remark or what passes by: the handle, the kind, the bytes, their number, and the context.
    typealias DebugCallback =
        @convention(c) (
            UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int, UnsafeMutableRawPointer?
        ) -> Int32

    /// Sets TLS up for a new connection: the handle, OpenSSL's context, and the context.
    typealias TLSCallback =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CURLcode

    private(set) var pointer: UnsafeMutableRawPointer
    /// Whether the options that every exchange has are set: once, since libcurl refuses some of them later.
    var isSetUp = false
    /// Whether it asks its exchange before it connects to an address.
    var asksBeforeConnecting = false
    /// The connect time-out that is set.
    var connectTimeout: Duration?
    /// Whether a new connection goes on with an earlier TLS session, and its own is kept.
    var keepsSessions = true
    /// Whether a connection that ends its last exchange with it is closed.
    private(set) var forbidsReuse = false
    /// Which connections it shares.
    private var era = 0
    /// Whether it makes remarks.
    var makesRemarks = false
    /// Whether a method other than GET is set, or a body.
    var hasMethod = false
    /// The header lines that are set, and what they were made of.
    private var headerLines: (fields: [HeaderField], announceBody: Bool, list: StringList)?
    /// The URL that is set, taken apart; `nil` if libcurl is to do that.
    private var target: TargetURL?
    /// The addresses to connect to that are set.
    private var connectTo = StringList()
    /// What libcurl says of an error beyond its code.
    private let message: UnsafeMutablePointer<CChar>
    /// Outlives the handle, which uses it to its end.
    private let sessions: SessionShare

    init(sessions: SessionShare) throws(TransportError) {
        guard let pointer = curl_easy_init() else { throw .setup("curl_easy_init") }
        self.pointer = pointer
        self.sessions = sessions
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(
            masthead_curl_easy_setopt_pointer(pointer, CURLOPT_ERRORBUFFER, message),
            CURLOPT_ERRORBUFFER
        )
        try set(CURLOPT_SHARE, pointer: sessions.pointer)
    }

    deinit {
        curl_easy_cleanup(pointer)
        message.deallocate()
    }

    /// Makes the handle ready for another exchange; `false` if it can't be.
    ///
    /// Before 8.1.1 a used handle still points to the last field of its last answer, which is freed when the next exchange
    /// starts. An answer whose first field begins with a blank would be written behind it (curl's bug 11101), so such
    /// a handle gives way to a copy, which has its options and nothing of its past.
    func renew() -> Bool {
        guard CurlGlobal.version < 0x08_01_01 else { return true }
        guard let copy = curl_easy_duphandle(pointer) else { return false }
        curl_easy_cleanup(pointer)
        pointer = copy
        // The one thing among them that no copy takes along.
        return masthead_curl_easy_setopt_pointer(copy, CURLOPT_SHARE, sessions.pointer) == CURLE_OK
    }

    /// Forgets what libcurl said of an earlier exchange.
    func forgetMessage() {
        message.pointee = 0
    }

    /// Whether libcurl said something of an error.
    var hasMessage: Bool { message.pointee != 0 }

    /// What libcurl said of the last error, or the text of its code.
    func text(of code: CURLcode) -> String {
        message.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: message)
    }

    /// Has the connection closed after this exchange, if it is the last one there; also while the exchange is under way.
    func forbidReuse() {
        forbidsReuse = masthead_curl_easy_setopt_long(pointer, CURLOPT_FORBID_REUSE, 1) == CURLE_OK
    }

    /// Takes back that a connection is closed after the exchange.
    func allowReuse() throws(TransportError) {
        guard forbidsReuse else { return }
        try set(CURLOPT_FORBID_REUSE, 0)
        forbidsReuse = false
    }

    /// Whether connections and TLS sessions can be kept apart by eras.
    static let knowsEras =
        curl_version_info(CURLVERSION_FIRST).map { $0.pointee.features & CURL_VERSION_TLSAUTH_SRP != 0 } ?? false

    /// Has it use the connections and TLS sessions of exchanges of the same era, and of no other.
    ///
    /// libcurl shares nothing between exchanges that differ in their password for TLS-SRP (RFC 5054); without a user, who is
    /// never set, it does nothing else with it.
    func setEra(_ era: Int) throws(TransportError) {
        guard self.era != era else { return }
        try set(CURLOPT_TLSAUTH_PASSWORD, era == 0 ? nil : "era \(era)")
        self.era = era
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(masthead_curl_easy_setopt_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, offset value: Int) throws(TransportError) {
        try check(masthead_curl_easy_setopt_offset(pointer, option, curl_off_t(value)), option)
    }

    /// libcurl copies the text; `nil` switches the option off.
    func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
        let code =
            value.map { $0.withCString { masthead_curl_easy_setopt_string(pointer, option, $0) } }
            ?? masthead_curl_easy_setopt_string(pointer, option, nil)
        try check(code, option)
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(TransportError) {
        try check(masthead_curl_easy_setopt_pointer(pointer, option, value), option)
    }

    /// Sets the header lines for the fields of a request; exchanges that follow each other mostly have the same.
    func setHeaderLines(
        of fields: [HeaderField],
        announceBody: Bool,
        _ lines: () throws(TransportError) -> StringList
    ) throws(TransportError) {
        if let headerLines, headerLines.announceBody == announceBody, headerLines.fields == fields { return }
        let list = try lines()
        try check(masthead_curl_easy_setopt_list(pointer, CURLOPT_HTTPHEADER, list.first), CURLOPT_HTTPHEADER)
        // libcurl reads the list while it sends, so it is kept until another one is set.
        headerLines = (fields, announceBody, list)
    }

    /// Sets the URL; exchanges that follow each other often have the same.
    ///
    /// Given the text alone libcurl takes it apart for each exchange and puts it together again, which costs more than any
    /// other part of one. Given both it takes the parts, and the text for that which it shows.
    func setURL(_ text: String) throws(TransportError) {
        try set(CURLOPT_URL, text)
        guard target?.text != text else { return }
        let new = TargetURL(text)
        try check(masthead_curl_easy_setopt_pointer(pointer, CURLOPT_CURLU, new?.pointer), CURLOPT_CURLU)
        // libcurl reads it at each exchange. What makes none is refused when the exchange starts.
        target = new
    }

    /// Sets which addresses stand for hosts.
    func setConnectTo(_ entries: [String]) throws(TransportError) {
        let list = StringList()
        for entry in entries { try list.append(entry) }
        try check(masthead_curl_easy_setopt_list(pointer, CURLOPT_CONNECT_TO, list.first), CURLOPT_CONNECT_TO)
        // libcurl reads the list at each exchange.
        connectTo = list
    }

    func set(_ option: CURLoption, _ callback: @escaping DataCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_data_callback(pointer, option, callback), option)
    }

    func set(_ option: CURLoption, _ callback: @escaping SeekCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_seek_callback(pointer, option, callback), option)
    }

    func set(_ option: CURLoption, _ callback: @escaping DebugCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_debug_callback(pointer, option, callback), option)
    }

    func set(_ option: CURLoption, _ callback: @escaping PrereqCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_prereq_callback(pointer, option, callback), option)
    }

    func set(_ option: CURLoption, _ callback: @escaping SocketCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_socket_callback(pointer, option, callback), option)
    }

    func set(_ option: CURLoption, _ callback: @escaping SocketOptionCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_socket_option_callback(pointer, option, callback), option)
    }

    func set(_ option: CURLoption, _ callback: @escaping TLSCallback) throws(TransportError) {
        try check(masthead_curl_easy_setopt_tls_callback(pointer, option, callback), option)
    }

    /// libcurl copies the bytes.
    func set(_ option: CURLoption, bytes: [UInt8]) throws(TransportError) {
        var bytes = bytes
        let code = bytes.withUnsafeMutableBytes { memory in
            var blob = curl_blob(data: memory.baseAddress, len: memory.count, flags: UInt32(CURL_BLOB_COPY))
            return masthead_curl_easy_setopt_blob(pointer, option, &blob)
        }
        try check(code, option)
    }

    /// Goes on with an exchange that rested in either direction.
    func resume() {
        // What it fails with ends the exchange, which tells of it.
        curl_easy_pause(pointer, Int32(CURLPAUSE_CONT))
    }

    /// A number libcurl knows of the transfer; 0 if it knows none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return masthead_curl_easy_getinfo_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    /// The socket of the connection, if it is kept after the exchange; else -1.
    var keptSocket: Int32 {
        var socket = CURL_SOCKET_BAD
        let code = masthead_curl_easy_getinfo_socket(pointer, CURLINFO_ACTIVESOCKET, &socket)
        return code == CURLE_OK ? socket : CURL_SOCKET_BAD
    }

    /// Both ends of the connection; without ports if it has none.
    var ends: KeptSockets.Ends {
        KeptSockets.Ends(
            local: SocketAddress(text(CURLINFO_LOCAL_IP) ?? "", port: Int32(number(CURLINFO_LOCAL_PORT))),
            remote: SocketAddress(text(CURLINFO_PRIMARY_IP) ?? "", port: Int32(number(CURLINFO_PRIMARY_PORT)))
        )
    }

    /// A text libcurl knows of the transfer; `nil` if it knows none.
    func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard masthead_curl_easy_getinfo_pointer(pointer, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    private func check(_ code: CURLcode, _ option: CURLoption) throws(TransportError) {
        guard code != CURLE_OK else { return }
        throw .setup("option \(option.rawValue): " + String(cString: curl_easy_strerror(code)))
    }
}
