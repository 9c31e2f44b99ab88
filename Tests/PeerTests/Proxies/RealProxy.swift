import Foundation
import MastheadNetworking
import Testing

/// A proxy that others wrote, with one user: `ada`, whose password is `pass`.
struct RealProxy: Sendable {
    /// Which one.
    enum Program: CaseIterable {
        /// HTTP: absolute targets and `CONNECT`.
        case tinyproxy
        /// SOCKS 5.
        case microsocks

        var executable: URL { URL(filePath: "/usr/bin/\(self)") }
    }

    let port: Int
    private let program: Program
    private let process: PeerProcess

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - program: Which one.
    ///   - folder: Where its files go.
    /// - Returns: The proxy, listening.
    /// - Throws: A ``PeerError``, if it is not there or does not do what it is told.
    static func start(_ program: Program, in folder: URL) async throws -> RealProxy {
        // A port that was free a moment ago may be taken by now: then the next one is tried.
        var last: any Error = PeerError("no port")
        for _ in 0..<10 {
            let port = try Peers.freePort()
            do {
                return RealProxy(port: port, program: program, process: try await start(program, at: port, in: folder))
            } catch let error as PeerError {
                last = error
            }
        }
        throw last
    }

    private static func start(_ program: Program, at port: Int, in folder: URL) async throws -> PeerProcess {
        switch program {
        case .tinyproxy:
            let lines = ["Port \(port)", "Listen 127.0.0.1", "Timeout 60", "LogLevel Info", "BasicAuth ada pass"]
            try lines.joined(separator: "\n").appending("\n")
                .write(to: folder.appending(path: "tinyproxy.conf"), atomically: true, encoding: .utf8)
            return try await PeerProcess.start(program.executable, ["-d", "-c", "tinyproxy.conf"], in: folder) {
                $0.contains("Accepting connections") ? true : nil
            }.0
        case .microsocks:
            // It says nothing until somebody comes: the system's list of sockets does.
            let socket = "0100007F:\(String(format: "%04X", port)) 00000000:0000 0A "
            let script = """
                "$0" -i 127.0.0.1 -p \(port) -u ada -P pass & pid=$!
                trap 'kill $pid' TERM
                until grep -q '\(socket)' /proc/net/tcp; do kill -0 $pid || exit 1; done
                echo listening
                wait $pid
                """
            return try await PeerProcess.start(
                URL(filePath: "/bin/sh"),
                ["-c", script, program.executable.path()],
                in: folder
            ) { $0 == "listening" ? true : nil }.0
        }
    }

    /// The way through it.
    func route(password: Secret? = "pass") -> NetworkRoute {
        let kind: ProxyServer.Kind = program == .tinyproxy ? .http : .socks5
        let user = password == nil ? nil : "ada"
        return .proxy(ProxyServer(kind, host: "127.0.0.1", port: port, user: user, password: password))
    }

    /// Stops it.
    func stop() async {
        await process.stop()
    }
}

extension Trait where Self == ConditionTrait {
    static var needsProxies: ConditionTrait {
        .enabled(
            if: Peers.have([Nginx.executable] + RealProxy.Program.allCases.map(\.executable)),
            "needs nginx, tinyproxy and microsocks: \(Peers.hint)"
        )
    }
}
