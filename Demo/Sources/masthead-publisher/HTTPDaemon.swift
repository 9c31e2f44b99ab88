import CMicrohttpd
import Foundation
import MagazineServer
import Synchronization

/// An HTTP server on a free port of this machine's loopback interface.
final class HTTPDaemon: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: `daemon` is used only to start and to stop; all else is `let`s and atomics.
    private let daemon: OpaquePointer
    private let handler: Handler

    let port: Int

    /// How many requests were answered.
    var requestCount: Int { handler.requests.load(ordering: .relaxed) }

    /// How many requests the server's rule called a leak.
    var leakCount: Int { handler.leaks.load(ordering: .relaxed) }

    /// Starts the server; `nil` if no port can be had.
    ///
    /// - Parameters:
    ///   - isLeak: Which requests to count and log as having shown a secret where they must not.
    ///   - answer: Called on the server's thread.
    init?(
        isLeak: @escaping @Sendable (ServerRequest) -> Bool = { _ in false },
        answer: @escaping @Sendable (ServerRequest) -> Answer
    ) {
        let handler = Handler(isLeak: isLeak, answer: answer)
        // Safe to leave unretained: `deinit` stops the server's thread before `handler` goes.
        let context = Unmanaged.passUnretained(handler).toOpaque()
        guard
            let daemon = masthead_microhttpd_start_daemon_loopback(
                handleRequest,
                context,
                leaveEscaped,
                keepTarget,
                forgetTarget
            )
        else { return nil }
        self.daemon = daemon
        self.handler = handler
        port = Int(masthead_microhttpd_get_daemon_info_port(daemon))
    }

    deinit {
        MHD_stop_daemon(daemon)
    }
}

/// What the server's thread shares with the others.
private final class Handler: Sendable {
    let requests = Atomic<Int>(0)
    let leaks = Atomic<Int>(0)
    private let isLeak: @Sendable (ServerRequest) -> Bool
    private let answer: @Sendable (ServerRequest) -> Answer

    init(isLeak: @escaping @Sendable (ServerRequest) -> Bool, answer: @escaping @Sendable (ServerRequest) -> Answer) {
        self.isLeak = isLeak
        self.answer = answer
    }

    func respond(to connection: OpaquePointer, method: String, target: String) -> MHD_Result {
        requests.add(1, ordering: .relaxed)
        var request = ServerRequest(
            method: method,
            target: target,
            host: header("Host", of: connection) ?? "127.0.0.1",
            authorization: header("Authorization", of: connection),
            previewApp: header("X-Preview-App", of: connection)
        )
        request?.range = header("Range", of: connection)
        request?.ifRange = header("If-Range", of: connection)
        guard let request else {
            return send(.refusal(400, "Bad Request", "The target is no path.", code: "target"), on: connection)
        }
        if isLeak(request) {
            leaks.add(1, ordering: .relaxed)
            let line = "a secret was shown to the media host: \(request.path)\n"
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
        return send(answer(request), on: connection)
    }

    private func header(_ name: String, of connection: OpaquePointer) -> String? {
        MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }

    private func send(_ answer: Answer, on connection: OpaquePointer) -> MHD_Result {
        let response = answer.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        MHD_add_response_header(response, "Content-Type", answer.contentType)
        for field in answer.fields { MHD_add_response_header(response, field.name, field.value) }
        return MHD_queue_response(connection, UInt32(answer.status), response)
    }
}

/// A request's target as it came, kept for as long as the request lives.
private final class Target: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

private let keepTarget:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer
    ) -> UnsafeMutableRawPointer? = { _, target, _ in
        Unmanaged.passRetained(Target(String(cString: target))).toOpaque()
    }

private let forgetTarget:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        MHD_RequestTerminationCode
    ) -> Void = { _, _, state, _ in
        guard let target = state?.pointee else { return }
        Unmanaged<Target>.fromOpaque(target).release()
        state?.pointee = nil
    }

/// The server decodes paths itself, segment by segment; the library would decode them whole.
private let leaveEscaped:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?
    ) -> Int = { _, _, text in
        text.map { strlen($0) } ?? 0
    }

private let handleRequest:
    @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result = { context, connection, _, method, _, _, uploadSize, state in
        guard let context, let connection, let method, let target = state?.pointee else { return .NO }
        if let uploadSize, uploadSize.pointee > 0 {
            // A body is read and thrown away: no call of this interface has one.
            uploadSize.pointee = 0
            return .YES
        }
        return Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().respond(
            to: connection,
            method: String(cString: method),
            target: Unmanaged<Target>.fromOpaque(target).takeUnretainedValue().text
        )
    }
