import BenchmarkSide

extension Scenario {
    /// The scenarios of the area `cache`, in the order they are run in.
    static let cache: [Scenario] = [
        Scenario(
            name: "cache.memoryHit",
            unit: .entries,
            entries: 1000,
            parts: [
                .ours: Part(cache: .memory, requests: 500_000),
                .peer: Part(cache: .get, requests: 20_000),
            ],
            note: "a value of 3 KB of JSON that is in memory; peer: the same value from our own disk tier, decoded"
        ),
        Scenario(
            name: "cache.diskHit",
            unit: .entries,
            entries: 10_000,
            parts: [
                .ours: Part(cache: .read, requests: 50_000),
                .floor: Part(floor: .read, requests: 50_000),
            ],
            note: "a payload of 3 KB out of 10,000, read from the file and not decoded; "
                + "floor: one SELECT, without a transaction around it and without telling what was used"
        ),
        Scenario(
            name: "cache.get",
            unit: .entries,
            entries: 10_000,
            coding: .added,
            parts: [
                .ours: Part(cache: .get, requests: 20_000),
                .floor: Part(floor: .read, requests: 20_000),
            ],
            note:
                "a value of 3 KB of JSON out of 10,000, read from the file and decoded; floor: C's reading, and on top "
                + "what the same decoder takes for the same bytes, measured by itself in our process"
        ),
        Scenario(
            name: "cache.set",
            unit: .entries,
            entries: 1,
            coding: .added,
            parts: [
                .ours: Part(cache: .set, requests: 20_000),
                .floor: Part(floor: .set, requests: 20_000),
            ],
            note: "values of 3 KB of JSON kept one after the other, encoded, then waited for; floor: as many rows that "
                + "are bytes already, in as many transactions, and on top what Foundation's encoder takes for the same "
                + "values, measured by itself in our process"
        ),
        Scenario(
            name: "cache.insert100k",
            unit: .entries,
            entries: 100_000,
            coding: .shared,
            parts: [
                .ours: Part(cache: .insert, requests: 1),
                .floor: Part(floor: .insert, requests: 1),
            ],
            note:
                "100,000 values of 3 KB of JSON in one transaction, encoded; floor: as many rows that are bytes "
                + "already, in the order of their keys, and what Foundation's encoder takes for the same values, measured "
                + "by itself in our process, shared with the writing by two threads as well as can be; on neither side "
                + "is the log moved into the file within that time, or what was kept freed"
        ),
        Scenario(
            name: "cache.readersBesideWriter",
            unit: .entries,
            entries: 10_000,
            parts: [
                .ours: Part(cache: .readers, requests: 300),
                .floor: Part(floor: .readers, requests: 300),
            ],
            note:
                "payloads of 3 KB read on two threads while a third keeps 100 every 10 ms for 3 s; the floor's writer "
                + "has nothing to encode"
        ),
        Scenario(
            name: "cache.open100k",
            unit: .opens,
            entries: 100_000,
            parts: [
                .ours: Part(cache: .open, requests: 1),
                .floor: Part(floor: .open, requests: 1),
            ],
            note: "a new process makes a cache, opens a file with 100,000 entries and reads the bytes of one"
        ),
        Scenario(
            name: "cache.revalidate",
            unit: .requests,
            entries: 1,
            parts: [
                .ours: Part(cache: .revalidate, requests: 5000),
                .peer: Part(cache: .refetch, requests: 200),
            ],
            note: "a call whose answer is kept, a list of 200 values of 3 KB, and confirmed with 304 by an executor in "
                + "memory; peer: the same with a new answer each time"
        ),
    ]
}

extension Scenario.Part {
    /// Something that our side does.
    fileprivate init(cache task: CacheWorkload.Task, requests: Int) {
        self.init(program: "bench-cache-ours", task: .cache(task), requests: requests)
    }

    /// Something that C does.
    fileprivate init(floor task: CacheWorkload.Task, requests: Int) {
        self.init(program: "bench-cache-floor", task: .cache(task), requests: requests)
    }
}
