import MastheadTransport
import Testing

struct OriginGateTests {
    private let origin: Origin
    private let other: Origin

    init() throws {
        origin = try #require(Origin(url: "https://a.example/x"))
        other = try #require(Origin(url: "https://b.example/x"))
    }

    @Test("lets in as many as there are places, and the rest in order")
    func ordersTheRest() {
        var gate = OriginGate<Int>()
        let entered = (0..<5).map { gate.enter($0, id: UInt64($0), origin: origin, limit: PlaceLimit(connections: 2)) }
        #expect(entered == [true, true, false, false, false])
        let result1 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 2) })
        #expect(result1 == [2])
        let result2 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 2) })
        #expect(result2 == [3])
        let result3 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 2) })
        #expect(result3 == [4])
        let result4 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 2) })
        #expect(result4 == [])
        #expect(gate.waitingCount == 0)
    }

    @Test("counts each origin by itself")
    func separatesOrigins() {
        var gate = OriginGate<Int>()
        let result5 = gate.enter(1, id: 1, origin: origin, limit: PlaceLimit(connections: 1))
        #expect(result5)
        let result6 = gate.enter(2, id: 2, origin: other, limit: PlaceLimit(connections: 1))
        #expect(result6)
        let result7 = gate.leave(other, limit: { _ in PlaceLimit(connections: 1) })
        #expect(result7 == [])
    }

    @Test("opens for a hundred streams once the origin speaks HTTP/2")
    func widens() {
        var gate = OriginGate<Int>()
        for item in 0..<150 {
            _ = gate.enter(item, id: UInt64(item), origin: origin, limit: PlaceLimit(connections: 1))
        }
        gate.note(origin, multiplexes: true)
        let result8 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 1) })
        #expect(result8.count == 100)
        #expect(gate.waitingCount == 49)
    }

    @Test("forgets what is taken out of the queue")
    func removes() {
        var gate = OriginGate<Int>()
        for item in 0..<4 { _ = gate.enter(item, id: UInt64(item), origin: origin, limit: PlaceLimit(connections: 1)) }
        let result9 = gate.remove(id: 2, origin: origin)
        #expect(result9)
        let result10 = gate.remove(id: 2, origin: origin)
        #expect(!result10)
        let result11 = gate.remove(id: 0, origin: origin)
        #expect(!result11, "it is under way")
        #expect(gate.waiting == [1, 3])
        let result12 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 1) })
        #expect(result12 == [1])
        let result13 = gate.leave(origin, limit: { _ in PlaceLimit(connections: 1) })
        #expect(result13 == [3])
    }

    @Test("knows the versions of the last thousand origins, and of none that it has forgotten")
    func forgets() throws {
        var gate = OriginGate<Int>()
        gate.note(origin, multiplexes: true)
        for number in 0..<1024 {
            gate.note(try #require(Origin(url: "https://a\(number).example/")), multiplexes: false)
        }
        #expect(gate.multiplexes(origin) == true)
        let entered = gate.enter(1, id: 1, origin: origin, limit: PlaceLimit(connections: 1))
        #expect(entered)
        gate.note(other, multiplexes: true)
        #expect(gate.multiplexes(other) == true)
        #expect(gate.multiplexes(origin) == nil)
        let isSecond = gate.enter(2, id: 2, origin: origin, limit: PlaceLimit(connections: 1))
        #expect(!isSecond, "its place is still taken")
    }

    @Test("keeps order and count through long queues")
    func longQueue() {
        var gate = OriginGate<Int>()
        for item in 0..<10_000 {
            _ = gate.enter(item, id: UInt64(item), origin: origin, limit: PlaceLimit(connections: 3))
        }
        var seen: [Int] = [0, 1, 2]
        while case let next = gate.leave(origin, limit: { _ in PlaceLimit(connections: 3) }), !next.isEmpty {
            seen += next
        }
        #expect(seen == Array(0..<10_000))
        #expect(gate.waitingCount == 0)
    }
}

struct OriginTests {
    @Test(
        "reads scheme, host and port",
        arguments: [
            ("http://Example.org/a?b", "http://example.org", "example.org"),
            ("https://example.org:8443?q", "https://example.org:8443", "example.org"),
            ("http://[::1]:80/", "http://[::1]:80", "[::1]"),
        ]
    )
    func reads(url: String, text: String, host: String) throws {
        let origin = try #require(Origin(url: url))
        #expect(origin.text == text)
        #expect(origin.host == host)
    }

    @Test(
        "refuses what is no absolute URL of the web",
        arguments: ["ftp://a/", "//a/", "/a", "http://", "http://u@a/"]
    )
    func refuses(url: String) {
        #expect(Origin(url: url) == nil)
    }
}
