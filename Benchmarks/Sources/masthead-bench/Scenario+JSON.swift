import BenchmarkSide

extension Scenario {
    /// The scenarios of the area `json`, in the order they are run in.
    static let json: [Scenario] = [
        Scenario(
            name: "json.list1000",
            unit: .documents,
            warmUp: 5,
            parts: decoding(.list, ours: 250, peer: 60),
            note: "1,000 articles with dates, 610 KB, from bytes to structs; peer: JSONDecoder with .iso8601"
        ),
        Scenario(
            name: "json.fourFields",
            unit: .documents,
            warmUp: 5,
            parts: decoding(.fields, ours: 500, peer: 100),
            note: "4 of the 20 members of 1,000 entries; peer: JSONDecoder with .iso8601"
        ),
        Scenario(
            name: "json.single",
            unit: .documents,
            warmUp: 1000,
            parts: decoding(.single, ours: 100_000, peer: 30_000),
            note: "one article of 3 KB; peer: one JSONDecoder with .iso8601"
        ),
        Scenario(
            name: "json.fetchAndDecode",
            resource: .list,
            warmUp: 3,
            parts: [
                .ours: Part(program: "bench-ours", task: .decode, requests: 150),
                .peer: Part(program: "bench-peer", task: .decode, requests: 60),
            ],
            note: "GET the 1,000 articles over loopback and decode them; peer: URLSession and JSONDecoder"
        ),
    ]

    private static func decoding(_ task: JSONWorkload.Task, ours: Int, peer: Int) -> [Side: Part] {
        [
            .ours: Part(program: "bench-json-ours", task: .json(task), requests: ours),
            .peer: Part(program: "bench-json-peer", task: .json(task), requests: peer),
        ]
    }
}
