import CMastheadCurl
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One exchange on its way: the request, libcurl's handle while it has one, and what has arrived.
final class Transfer: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: only the thread that has the loop's transfers touches what varies, but `phase`,
    // which is touched under the loop's lock alone.

    /// How far it is between the caller and the loop.
    enum Phase {
        case new
        case submitted
        case cancelledBeforeSubmission
    }

    typealias Outcome = Result<ReceivedAnswer, TransportError>

    let id: UInt64
    let request: TransportRequest
    let origin: Origin
    let clock: any TransportClock
    let deadline: Duration?

    var phase = Phase.new
    var continuation: CheckedContinuation<Outcome, Never>?

    private(set) var handle: EasyHandle?
    private var head: [UInt8] = []
    /// Bytes of all heads and trailers so far.
    private var headSize = 0
    private var contentLength: Int?
    private var body = BodyBuffer()
    private var isHeadComplete = false
    private var uploaded = 0
    private var sends = 0
    /// Why a callback stopped libcurl.
    private var abort: TransportError?
    private var lastActivity = Duration.zero
    private var pass: LoopPass?
    private var lastPass: UInt64 = 0
    /// Whether this is the second attempt, on a connection of its own.
    private var isRetry = false

    init(id: UInt64, request: TransportRequest, clock: any TransportClock) throws(TransportError) {
        guard let origin = Origin(url: request.url) else { throw .invalidURL("not an absolute http or https URL") }
        self.id = id
        self.request = request
        self.origin = origin
        self.clock = clock
        deadline = request.limits.totalTimeout.map { clock.now + $0 }
    }

    // MARK: Starting

    /// Sets a handle up for this exchange.
    func prepare(
        _ handle: EasyHandle,
        policy: TrustPolicy,
        multiplexes: Bool?,
        pass: LoopPass
    ) throws(TransportError) {
        self.handle = handle
        self.pass = pass
        head.removeAll(keepingCapacity: true)
        headSize = 0
        contentLength = nil
        body.removeAll()
        isHeadComplete = false
        uploaded = 0
        sends = 0
        abort = nil
        lastActivity = clock.now
        handle.forgetMessage()
        // Of a kept handle only what differs between exchanges is set: all of it would cost as much as the exchange.
        if !handle.isSetUp { try setStandingOptions(of: handle, policy: policy) }
        try handle.setConnectTimeout(request.limits.connectTimeout)
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_URL, request.url)
        // While nobody knows whether the host speaks HTTP/2, the first connection tells; then the others need not exist.
        try handle.set(CURLOPT_PIPEWAIT, origin.isSecure && multiplexes != false ? 1 : 0)
        // Over HTTP/2 the lost connection is known to be gone, and a hundred streams must not make one each.
        try handle.set(CURLOPT_FRESH_CONNECT, isRetry && multiplexes != true ? 1 : 0)
        try handle.set(CURLOPT_WRITEDATA, pointer: context)
        try handle.set(CURLOPT_HEADERDATA, pointer: context)
        try handle.set(CURLOPT_PREREQDATA, pointer: context)
        try setMethod(on: handle, context: context)
        try handle.setHeaders(of: request)
    }

    /// Sets what every exchange has in common.
    ///
    /// Never again for a kept handle: libcurl refuses a buffer's size while it has the buffer, which it keeps after an
    /// exchange over a connection that others still use.
    private func setStandingOptions(of handle: EasyHandle, policy: TrustPolicy) throws(TransportError) {
        try handle.setTransportDefaults(policy: policy)
        try handle.set(CURLOPT_WRITEFUNCTION, receiveBody)
        try handle.set(CURLOPT_HEADERFUNCTION, receiveHeader)
        try handle.set(CURLOPT_PREREQFUNCTION, approveSending)
        handle.isSetUp = true
    }

    private func setMethod(on handle: EasyHandle, context: UnsafeMutableRawPointer) throws(TransportError) {
        try handle.forgetMethod()
        if request.method == "GET", request.body == nil { return }
        // libcurl would wait for the body of the answer too.
        if request.method == "HEAD", request.body != nil { throw .invalidRequest("a HEAD request carries no body") }
        handle.hasMethod = true
        // These announce a body even when it is empty (RFC 9110, section 8.6).
        let carriesBody = request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method)
        if carriesBody {
            try handle.set(CURLOPT_UPLOAD, 1)
            try handle.set(CURLOPT_INFILESIZE_LARGE, offset: request.body?.count ?? 0)
            try handle.set(CURLOPT_READDATA, pointer: context)
            try handle.set(CURLOPT_READFUNCTION, sendBody)
        } else if request.method == "HEAD" {
            try handle.set(CURLOPT_NOBODY, 1)
        }
        if carriesBody || !["GET", "HEAD"].contains(request.method) {
            try handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    /// Gives the handle back.
    func releaseHandle() -> EasyHandle? {
        defer { handle = nil }
        return handle
    }

    // MARK: Deadlines

    /// The time until the next deadline, zero or less if one has passed, and which it is.
    func nextDeadline() -> (remaining: Duration, error: TransportError) {
        let now = clock.now
        let total = deadline.map { $0 - now }
        guard handle != nil else { return (total ?? .seconds(3600), .totalTimeout) }
        let idle = lastActivity + request.limits.idleTimeout - now
        if let total, total <= idle { return (total, .totalTimeout) }
        return (idle, .idleTimeout)
    }

    // MARK: Ending

    /// What the exchange ended in; `nil` if it must be sent again, on a fresh connection.
    func outcome(of code: CURLcode) -> Outcome? {
        guard let handle else { return .failure(.connectionLost) }
        if code == CURLE_OK, abort == nil, isHeadComplete {
            return .success(answer(from: handle))
        }
        // A server may answer before it has read the request's body, and then want no more of it (RFC 9113, section 8.1).
        if abort == nil, CurlFailure.isOfConnection(code), isHeadComplete, contentLength == body.count {
            return .success(answer(from: handle))
        }
        // To libcurl a head that ends with its connection is whole.
        let error = abort ?? (code == CURLE_OK ? .connectionLost : failure(of: code, handle))
        if error == .connectionLost, canBeSentAgain(handle) {
            isRetry = true
            return nil
        }
        return .failure(error)
    }

    private func answer(from handle: EasyHandle) -> ReceivedAnswer {
        let isHTTP2 = handle.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0
        return ReceivedAnswer(
            status: handle.number(CURLINFO_RESPONSE_CODE),
            head: head,
            body: body.takeData(),
            version: isHTTP2 ? .http2 : .http1
        )
    }

    /// A kept connection that the server had closed just before: nothing came back, so a request that may be repeated
    /// (RFC 9110, section 9.2.2) is, once.
    private func canBeSentAgain(_ handle: EasyHandle) -> Bool {
        let isIdempotent = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(request.method)
        // libcurl asks to repeat on its own only when it used a kept connection; when it didn't ask, it says so itself.
        let wasReused = sends > 1 || handle.number(CURLINFO_NUM_CONNECTS) == 0
        return isIdempotent && !isRetry && head.isEmpty && wasReused
    }

    private func failure(of code: CURLcode, _ handle: EasyHandle) -> TransportError {
        let failure = CurlFailure(
            code: code,
            systemError: Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO)),
            message: handle.text(of: code),
            host: origin.host,
            isConnected: sends > 0,
            isHeadComplete: isHeadComplete,
            received: body.count,
            expected: handle.expectedLength
        )
        return failure.error(hasNetwork: NetworkInterfaces.hasRoute)
    }

    // MARK: What the callbacks do

    /// Notes that something moved.
    ///
    /// All that moves in one pass moves at one time, so the clock is read once for it.
    private func noteActivity() {
        guard let pass, pass.number != lastPass else { return }
        lastPass = pass.number
        lastActivity = clock.now
    }

    func receive(header line: UnsafeBufferPointer<UInt8>) -> Bool {
        noteActivity()
        headSize += line.count
        guard headSize <= request.limits.maximumHeadSize else {
            abort = .invalidResponse("header fields of more than \(request.limits.maximumHeadSize) bytes")
            return false
        }
        // What comes after the head's end are trailers: not fields of the answer.
        guard !isHeadComplete else { return true }
        if line.count <= 2, line.allSatisfy({ $0 == 13 || $0 == 10 }) {
            endHead()
            return true
        }
        if head.isEmpty { head.reserveCapacity(512) }
        head.append(contentsOf: line)
        return checkContentLength(line)
    }

    /// An interim answer (RFC 9110, section 15.2) is none yet; 101 is the last word on its connection.
    private func endHead() {
        let status = head.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }
        guard status.first == UInt8(ascii: "1"), !status.starts(with: "101".utf8) else {
            isHeadComplete = true
            return
        }
        head.removeAll(keepingCapacity: true)
        contentLength = nil
    }

    /// A length that is no number, and two that differ, are an attack or a fault (RFC 9112, section 6.3): libcurl takes
    /// the digits at the start, and the last of several.
    private func checkContentLength(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = "content-length:".utf8
        guard let first = line.first, first | 0x20 == UInt8(ascii: "c"), line.count > name.count else { return true }
        guard zip(line, name).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 }) else { return true }
        let field = line[name.count...].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        for value in Array(field).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let digits = value.trimmed
            guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let length = Int(String(decoding: digits, as: UTF8.self))
            else {
                abort = .invalidResponse("the length of the body is no number")
                return false
            }
            guard contentLength == nil || contentLength == length else {
                abort = .invalidResponse("two different lengths for one body")
                return false
            }
            contentLength = length
        }
        return true
    }

    func receive(body bytes: UnsafeRawPointer, count: Int) -> Bool {
        noteActivity()
        let limit = request.limits.maximumBodySize
        let expected = body.count == 0 ? handle?.expectedLength ?? 0 : 0
        guard expected <= limit, body.count + count <= limit,
            body.append(bytes, count: count, expected: expected, limit: limit)
        else {
            abort = .bodyTooLarge(limit: limit)
            return false
        }
        return true
    }

    func send(into buffer: UnsafeMutableRawPointer, capacity: Int) -> Int {
        noteActivity()
        guard let data = request.body else { return 0 }
        let count = min(capacity, data.count - uploaded)
        guard count > 0 else { return 0 }
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { buffer.copyMemory(from: base + uploaded, byteCount: count) }
        }
        uploaded += count
        return count
    }

    /// Allows one sending: libcurl asks again before it repeats a request by itself, which is not its to decide.
    func permitSending() -> Bool {
        noteActivity()
        sends += 1
        guard sends > 1 else { return true }
        abort = .connectionLost
        return false
    }
}
