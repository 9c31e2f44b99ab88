import BenchmarkSide

extension Scenario {
    /// The scenarios of the area `tls`, in the order they are run in.
    static let tls: [Scenario] = [
        Scenario(
            name: "tls.pinnedReused",
            endpoint: .secure,
            concurrency: 64,
            warmUp: 640,
            parts: pinning(requests: 30000),
            note: "small GET over TLS, 64 kept connections, the server's key pinned; floor: the same without pins; "
                + "low and high are of toFloor"
        ),
        Scenario(
            name: "tls.pinnedNew",
            endpoint: .handshake,
            concurrency: 8,
            warmUp: 16,
            parts: pinning(requests: 1500),
            note: "small GET over TLS, a full handshake for each, the server's key pinned; floor: the same without "
                + "pins; low and high are of toFloor"
        ),
    ]

    private static func pinning(requests: Int) -> [Side: Part] {
        [
            .ours: Part(program: "bench-ours", task: .pinned, requests: requests),
            .floor: Part(program: "bench-ours", task: .fetch, requests: requests),
        ]
    }
}
