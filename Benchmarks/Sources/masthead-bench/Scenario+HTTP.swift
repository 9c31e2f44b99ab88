import BenchmarkSide

extension Scenario {
    /// The scenarios of the area `http`, in the order they are run in.
    static let http: [Scenario] = [
        Scenario(
            name: "http.sequential",
            parts: fetching(ours: 6000, peer: 2000, floor: 6000),
            voidBelow: 3.3,
            note: "small GET, HTTP/1.1 keep-alive, one at a time"
        ),
        Scenario(
            name: "http.concurrent64",
            concurrency: 64,
            warmUp: 640,
            parts: fetching(ours: 30000, peer: 3000, floor: 40000),
            voidBelow: 16,
            note: "small GET, HTTP/1.1, 64 connections"
        ),
        Scenario(
            name: "https.sequential",
            endpoint: .secure,
            parts: fetching(ours: 6000, peer: 2000, floor: 6000),
            note: "small GET, HTTP/1.1 keep-alive over TLS, one at a time"
        ),
        Scenario(
            name: "https.concurrent64",
            endpoint: .secure,
            concurrency: 64,
            warmUp: 640,
            parts: fetching(ours: 20000, peer: 3000, floor: 25000),
            note: "small GET, HTTP/1.1 over TLS, 64 connections"
        ),
        Scenario(
            name: "http2.concurrent64",
            endpoint: .http2,
            concurrency: 64,
            warmUp: 640,
            connections: 1,
            parts: fetching(ours: 20000, peer: 3000, floor: 25000),
            note: "small GET, HTTP/2 over TLS, 64 streams"
        ),
        Scenario(
            name: "http2.streams1000",
            endpoint: .streams,
            concurrency: StreamServer.maximumStreams,
            warmUp: 2000,
            connections: 1,
            parts: fetching(ours: 20000, peer: 4000, floor: 25000),
            note: "small GET, HTTP/2 over TLS, 1,000 streams, nghttpd"
        ),
        Scenario(
            name: "https.cold64",
            endpoint: .secure,
            concurrency: 64,
            warmUp: 0,
            trustsSystem: true,
            parts: [
                .ours: Part(program: "bench-ours", task: .cold, requests: 64),
                .peer: Part(program: "bench-peer", task: .cold, requests: 64),
                .floor: Part(program: "bench-floor", task: .cold, requests: 64),
            ],
            note: "64 small GETs at once from a new process, the system's authorities, the defaults of each side"
        ),
        Scenario(
            name: "http.download256",
            unit: .mebibytes,
            resource: .big,
            warmUp: 0,
            parts: moving(.download, files: 2),
            note: "256 MiB into a new file on tmpfs; cpuPer10k is of 10,000 such files"
        ),
        Scenario(
            name: "http.upload256",
            unit: .mebibytes,
            resource: .form,
            warmUp: 0,
            parts: moving(.upload, files: 2),
            note: "a form with a file of 256 MiB, which nginx writes to tmpfs; cpuPer10k is of 10,000 such forms"
        ),
        Scenario(
            name: "http.list1000",
            resource: .list,
            warmUp: 3,
            parts: [
                .ours: Part(program: "bench-ours", task: .decode, requests: 60),
                .peer: Part(program: "bench-peer", task: .decode, requests: 60),
            ],
            note: "GET and decode 1,000 articles, 610 KB, the same Codable model on both sides; C has no decoder"
        ),
        Scenario(
            name: "http.pipelineOverhead",
            concurrency: 64,
            warmUp: 640,
            parts: [
                .ours: Part(program: "bench-ours", task: .pipeline, requests: 30000),
                .floor: Part(program: "bench-ours", task: .executor, requests: 30000),
            ],
            note:
                "as http.concurrent64, with an observer; floor: the executor alone, with the same request; low and high "
                + "are of toFloor"
        ),
    ]

    private static func moving(_ task: Workload.Task, files: Int) -> [Side: Part] {
        [
            .ours: Part(program: "bench-ours", task: task, requests: files),
            .peer: Part(program: "bench-peer", task: task, requests: files),
            .floor: Part(program: "bench-floor", task: task, requests: files),
        ]
    }

    private static func fetching(ours: Int, peer: Int, floor: Int) -> [Side: Part] {
        [
            .ours: Part(program: "bench-ours", task: .fetch, requests: ours),
            .peer: Part(program: "bench-peer", task: .fetch, requests: peer),
            .floor: Part(program: "bench-floor", task: .fetch, requests: floor),
        ]
    }
}
