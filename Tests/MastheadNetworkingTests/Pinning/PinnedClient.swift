import FoundationEssentials
import MastheadNetworking
import MastheadTransport

/// Asks a server that is known by pins.
struct PinnedClient: Sendable {
    // Enough that nothing hides in a buffer.
    private static let body = Data(repeating: UInt8(ascii: "x"), count: 64 << 10)

    private let send: @Sendable () async -> PinnedOutcome

    /// As an app does.
    init(_ configuration: NetworkingConfiguration) {
        let repository = AbstractRepository(configuration: configuration)
        send = {
            switch await repository.performRaw(
                .put("a", body: .data(Self.body, contentType: "application/octet-stream"))
            ) {
            case .success(let response): .answered(response.text)
            case .failure(let error): PinnedOutcome(error)
            }
        }
    }

    /// With a policy that no configuration makes.
    init(_ policy: TrustPolicy, _ port: Int) {
        let transport = Transport(policy: policy)
        let request = TransportRequest(method: "PUT", url: "https://localhost:\(port)/a", body: .data(Self.body))
        send = {
            do throws(TransportError) {
                let response = try await transport.perform(request)
                return .answered(String(decoding: response.body, as: UTF8.self))
            } catch {
                return .other("\(error)")
            }
        }
    }

    /// Makes one request.
    func ask() async -> PinnedOutcome {
        await send()
    }
}

/// What came of a request to a server that is known by pins.
enum PinnedOutcome: Sendable {
    case answered(String)
    case mismatch(PinMismatch)
    /// TLS was not agreed on for another reason.
    case untrusted(String)
    case other(String)

    init(_ error: RepositoryError) {
        self =
            switch error {
            case .pinMismatch(let mismatch): .mismatch(mismatch)
            case .tls(let reason): .untrusted(reason)
            default: .other("\(error)")
            }
    }

    var isAnswered: Bool {
        if case .answered = self { true } else { false }
    }

    var mismatch: PinMismatch? {
        if case .mismatch(let mismatch) = self { mismatch } else { nil }
    }

    /// Why no chain was built, or the name was wrong.
    var distrust: String? {
        if case .untrusted(let reason) = self { reason } else { nil }
    }
}

extension PinMismatch {
    /// The names in the chain that was verified, the server's own first.
    var builtNames: [String] { built.map(Self.name) }

    /// The names in the chain that came.
    var servedNames: [String] { served.map(Self.name) }

    private static func name(_ line: String) -> String {
        String(line.split(separator: " ", maxSplits: 1).last?.trimmingPrefix("CN=") ?? "")
    }
}
