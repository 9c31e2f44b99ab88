import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

struct PageCursorTests {
    private struct Item: Identifiable, Sendable, Equatable {
        let id: Int
    }

    private func items(_ ids: Int...) -> [Item] { ids.map(Item.init) }

    private func url(_ text: String) throws -> URL { try #require(URL(string: "https://api.example.org/\(text)")) }

    private func page(_ cursor: PageCursor<Item>) -> PageCursor<Item>.Page? {
        if case .read(let page) = cursor.step { page } else { nil }
    }

    @Test("counts pages while they are full and the server says nothing")
    func counts() {
        var cursor = PageCursor<Item>(limit: 2)
        #expect(page(cursor) == .number(1))
        #expect(cursor.accept(items(1, 2), .unknown) == items(1, 2))
        #expect(page(cursor) == .number(2))
        #expect(cursor.accept(items(3), .unknown) == items(3))
        #expect(page(cursor) == nil)
    }

    @Test("ends at an empty page")
    func empty() {
        var cursor = PageCursor<Item>(limit: 2)
        _ = cursor.accept(items(1, 2), .unknown)
        #expect(cursor.accept([], .unknown).isEmpty)
        #expect(page(cursor) == nil)
    }

    @Test("ends when a server knows no pages and repeats itself")
    func repeats() {
        var cursor = PageCursor<Item>(limit: 2)
        #expect(cursor.accept(items(1, 2), .unknown) == items(1, 2))
        #expect(cursor.accept(items(1, 2), .unknown).isEmpty)
        #expect(page(cursor) == nil)
    }

    @Test("follows the server's URLs, whatever the size of a page")
    func follows() throws {
        var cursor = PageCursor<Item>(limit: 20)
        #expect(cursor.accept(items(1), .url(try url("2"))) == items(1))
        #expect(page(cursor) == .url(try url("2")))
        #expect(cursor.accept(items(2), .last) == items(2))
        #expect(page(cursor) == nil)
    }

    @Test("ends on the last page even if that is full")
    func last() {
        var cursor = PageCursor<Item>(limit: 1)
        _ = cursor.accept(items(1), .last)
        #expect(page(cursor) == nil)
    }

    @Test("ends where a server leads back to a page it led to before")
    func loop() throws {
        var cursor = PageCursor<Item>(limit: 1)
        _ = cursor.accept(items(1), .url(try url("2")))
        _ = cursor.accept(items(2), .url(try url("3")))
        #expect(cursor.accept(items(3), .url(try url("2"))) == items(3))
        #expect(page(cursor) == nil)
    }

    @Test("ends where a server leads back to the first page")
    func loopToFirst() throws {
        var cursor = PageCursor<Item>(limit: 1)
        _ = cursor.accept(items(1), .url(try url("2")))
        _ = cursor.accept(items(2), .url(try url("1")))
        #expect(cursor.accept(items(1), .url(try url("2"))).isEmpty)
        #expect(page(cursor) == nil)
    }

    @Test("leaves out what stood on the page before, and what a page has twice")
    func overlap() throws {
        var cursor = PageCursor<Item>(limit: 3)
        #expect(cursor.accept(items(1, 2, 2), .url(try url("2"))) == items(1, 2))
        #expect(cursor.accept(items(2, 3), .url(try url("3"))) == items(3))
    }

    @Test("gives up on a server that leads on and on to nothing")
    func endless() throws {
        var cursor = PageCursor<Item>(limit: 3)
        for number in 0..<PageCursor<Item>.maximumIdlePages {
            #expect(page(cursor) != nil)
            _ = cursor.accept([], .url(try url("\(number)")))
        }
        guard case .fail(.invalidResponse) = cursor.step else {
            Testing.Issue.record("expected a failure")
            return
        }
    }

    @Test("hands out a page before it fails over the next")
    func refused() {
        var cursor = PageCursor<Item>(limit: 3)
        #expect(cursor.accept(items(1), .refused(.invalidURL(reason: "elsewhere"))) == items(1))
        guard case .fail(.invalidURL) = cursor.step else {
            Testing.Issue.record("expected a failure")
            return
        }
    }
}
