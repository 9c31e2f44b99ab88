import CrashKit
import FoundationEssentials
import Glibc
import MastheadLock
import MastheadNetworking
import Testing

@Suite("Making many models into bytes", .timeLimit(.minutes(1)))
struct ModelMillTests {
    /// What the models' keys say, in the order in which they come.
    private func drain(_ mill: ModelMill) throws(CacheError) -> [String] {
        var keys: [String] = []
        while let batch = try mill.next() {
            for model in batch.models { keys.append(String(decoding: batch.bytes[model.key], as: UTF8.self)) }
            mill.giveBack(batch)
        }
        return keys
    }

    @Test("all come once and in order, with a thread beside and without one", arguments: [true, false])
    func order(hasHelper: Bool) async throws {
        let made = Lock([Int](repeating: 0, count: 2_000))
        let mill = ModelMill(count: 2_000, isHelped: hasHelper) { (place, batch) throws(CacheError) in
            made.withLock { $0[place] += 1 }
            let size = place % 400 == 7 ? 300_000 : place
            try batch.append(key: { $0 += "k-\(place)".utf8 }, body: { $0 += [UInt8](repeating: 1, count: size) })
        }
        if hasHelper { mill.start() }
        let keys = try await onThread { try drain(mill) }
        #expect(keys == (0..<2_000).map { "k-\($0)" })
        #expect(made.withLock { $0 }.allSatisfy { $0 == 1 })
    }

    @Test("no more is made ahead than there is room for")
    func room() async throws {
        let (size, count) = (10_000, 5_000)
        let made = Lock(0)
        let mill = ModelMill(count: count) { (place, batch) throws(CacheError) in
            made.withLock { $0 += 1 }
            try batch.append(key: { $0 += "\(place)".utf8 }, body: { $0 += [UInt8](repeating: 0, count: size) })
        }
        mill.start()
        while !mill.isAwaited, made.withLock({ $0 }) < count { await Task.yield() }
        #expect(made.withLock { $0 } * size <= ModelMill.room + 2 * ModelMill.batchSize)
        #expect(try await onThread { try drain(mill).count } == count)
    }

    @Test("the app's code runs on threads that are scheduled as all others, however the one who writes is")
    func scheduling() async throws {
        let batch: Int32 = 3
        let (policies, threads) = (Lock<Set<Int32>>([]), Lock<Set<UInt>>([]))
        let mill = ModelMill(count: 20_000) { (place, batch) throws(CacheError) in
            policies.withLock { _ = $0.insert(sched_getscheduler(0)) }
            threads.withLock { _ = $0.insert(UInt(pthread_self())) }
            // Half of them are left for the one who comes to help.
            while place == 10_000, threads.withLock({ $0.count }) < 2 { sched_yield() }
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 1, count: 1_000) })
        }
        let after = try await onThread {
            var parameter = sched_param()
            guard pthread_setschedparam(pthread_self(), batch, &parameter) == 0 else { return SCHED_OTHER }
            _ = try drain(mill)
            return sched_getscheduler(0)
        }
        #expect(policies.withLock { $0 } == [SCHED_OTHER])
        #expect(threads.withLock { $0.count } == 2)
        #expect(after == batch)
    }

    @Test("a batch has few models, and few bytes, whatever the models are like", arguments: [0, 100_000])
    func batches(size: Int) async throws {
        let mill = ModelMill(count: 600) { (_, batch) throws(CacheError) in
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 1, count: size) })
        }
        let batches = try await onThread {
            var batches: [(models: Int, bytes: Int)] = []
            while let batch = try mill.next() { batches.append((batch.models.count, batch.bytes.count)) }
            return batches
        }
        #expect(batches.allSatisfy { $0.models <= 256 && $0.bytes < ModelMill.batchSize + max(1, size) })
        #expect(batches.reduce(0) { $0 + $1.models } == 600)
    }

    @Test("there is a thread beside as soon as there are many, and none for few", arguments: [4, 400])
    func help(count: Int) async throws {
        let threads = Lock<Set<UInt>>([])
        let mill = ModelMill(count: count) { (place, batch) throws(CacheError) in
            threads.withLock { _ = $0.insert(UInt(pthread_self())) }
            while place == 300, threads.withLock({ $0.count }) < 2 { sched_yield() }
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 1, count: 50_000) })
        }
        #expect(try await onThread { try drain(mill).count } == count)
        #expect(threads.withLock { $0.count } == (count > 4 ? 2 : 1))
    }

    @Test("the memory of what is given back is used again")
    func memoryGivenBack() async throws {
        let capacities = Lock<[Int]>([])
        let mill = ModelMill(count: 100, isHelped: false) { (_, batch) throws(CacheError) in
            let capacity = batch.models.isEmpty ? batch.bytes.capacity : nil
            if let capacity { capacities.withLock { $0.append(capacity) } }
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 1, count: 50_000) })
        }
        #expect(try await onThread { try drain(mill).count } == 100)
        let seen = capacities.withLock { $0 }
        #expect(seen.first == 0)
        #expect(seen.count > 10 && seen.dropFirst().allSatisfy { $0 >= ModelMill.batchSize })
    }

    @Test("room that is made again is used again")
    func roomAgain() async throws {
        let made = Lock(0)
        let mill = ModelMill(count: 5_000) { (_, batch) throws(CacheError) in
            made.withLock { $0 += 1 }
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 1, count: 10_000) })
        }
        mill.start()
        for _ in 0..<3 {
            while !mill.isAwaited { await Task.yield() }
            let before = made.withLock { $0 }
            for _ in 0..<9 { _ = try await onThread { try mill.next() } }
            while made.withLock({ $0 }) < before + 20 { await Task.yield() }
        }
        mill.stop()
    }

    @Test("nobody works on once it is stopped, or once one cannot be made", arguments: [true, false])
    func ends(isStopped: Bool) async throws {
        let (begun, news) = AsyncStream.makeStream(of: Void.self)
        let goesOn = Latch<Void>()
        let made = Lock(0)
        var mill: ModelMill? = ModelMill(count: 1_000) { (place, batch) throws(CacheError) in
            if place == 0 {
                news.yield()
                goesOn.wait()
                guard isStopped else { throw .tooLarge(limit: 0) }
            }
            made.withLock { $0 += 1 }
            try batch.append(key: { _ in }, body: { _ in })
        }
        mill?.start()
        for await _ in begun { break }
        if isStopped { mill?.stop() }
        weak let helpers = mill
        mill = nil
        goesOn.put(())
        // It has the mill as long as it works.
        while helpers != nil { await Task.yield() }
        #expect(made.withLock { $0 } <= 8)
    }

    @Test("that one cannot be made is not forgotten when others are")
    func failureStays() async throws {
        let (begun, news) = AsyncStream.makeStream(of: Void.self)
        let goesOn = Latch<Void>()
        let mill = ModelMill(count: 1_000) { (place, batch) throws(CacheError) in
            guard place == 0 else { throw .tooLarge(limit: place) }
            news.yield()
            goesOn.wait()
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 1, count: ModelMill.batchSize) })
        }
        let first = Task { try await onThread { try mill.next()?.models.count } }
        for await _ in begun { break }
        await #expect(throws: CacheError.self) { try await onThread { try drain(mill) } }
        goesOn.put(())
        await #expect(throws: CacheError.self) { try await first.value }
    }

    @Test("one that cannot be made ends it, and what stops it lets nobody work on")
    func failure() async throws {
        let made = Lock(0)
        let mill = ModelMill(count: 100_000) { (place, batch) throws(CacheError) in
            guard place < 1_000 else { throw .tooLarge(limit: place) }
            made.withLock { $0 += 1 }
            try batch.append(key: { _ in }, body: { $0 += [UInt8](repeating: 0, count: 10) })
        }
        mill.start()
        // Two make them at once: either may come to one of these first.
        let error = await #expect(throws: CacheError.self) { try await onThread { try drain(mill) } }
        guard case .tooLarge(let place) = error else {
            Testing.Issue.record("it ended by something else")
            return
        }
        #expect((1_000..<100_000).contains(place))
        #expect(made.withLock { $0 } <= 1_000)
    }

    @Test("keys are in the order of their bytes, whatever they have in common")
    func keyOrder() {
        let lists: [[String]] = [
            // Some of them do not tell that others are shorter than what they begin with.
            (0..<40).map { "begin-\($0)" } + ["beg", ""], (0..<20).map { "p" + String(repeating: "\0", count: $0) },
            [], [""], ["b", "", "a"], (0..<400).map { "\($0 % 61 == 7 ? "z" : "begin-")\($0 * 7919 % 400)" },
            ["aa", "a", "a\u{0}", "a\u{0}\u{0}"],
            ["same-prefix-123456789", "same-prefix-123456780", "same-prefix-1234567", "same-prefix-"],
            ["é", "e\u{301}", "z", "\u{1F4D6}", "Z"], (0..<500).map { "article-\($0 * 7919 % 500)" },
        ]
        for list in lists {
            let sorted = list.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let order = KeyOrder(list)
            #expect((0..<order.count).map { Array(order[$0].utf8) } == sorted.map { Array($0.utf8) })
        }
    }
}
