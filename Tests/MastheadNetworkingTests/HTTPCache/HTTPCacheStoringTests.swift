import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("RFC 9111, section 3: storing")
struct HTTPCacheStoringTests {
    private static let lifetime: HTTPHeaders = ["Cache-Control": "max-age=60"]

    private func refusal(_ headers: HTTPHeaders, status: Int = 200, request: CacheRequest = cacheRequest())
        -> StoringRefusal?
    {
        do throws(StoringRefusal) {
            _ = try StoredAnswer(storing: receivedAnswer(headers, status: status), to: request)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "stores what may be stored, by status and lifetime",
        arguments: [
            (200, nil, nil), (203, nil, nil), (204, nil, nil), (300, nil, nil), (301, nil, nil), (308, nil, nil),
            (302, .notAllowed, nil), (303, .notAllowed, nil), (307, .notAllowed, nil),
            (404, .errorWithoutLifetime, nil), (405, .errorWithoutLifetime, nil), (410, .errorWithoutLifetime, nil),
            (414, .errorWithoutLifetime, nil), (501, .errorWithoutLifetime, nil),
            (206, .partialContent, .partialContent),
            (100, .status, .status), (101, .status, .status), (201, .status, .status), (202, .status, .status),
            (205, .status, .status), (299, .status, .status), (304, .status, .status), (400, .status, .status),
            (401, .status, .status), (403, .status, .status), (407, .status, .status), (412, .status, .status),
            (416, .status, .status), (429, .status, .status), (500, .status, .status), (502, .status, .status),
            (503, .status, .status), (504, .status, .status), (0, .status, .status), (-1, .status, .status),
        ] as [(Int, StoringRefusal?, StoringRefusal?)]
    )
    func storesByStatus(status: Int, bare: StoringRefusal?, withLifetime: StoringRefusal?) {
        #expect(refusal([:], status: status) == bare)
        #expect(refusal(Self.lifetime, status: status) == withLifetime)
        #expect(refusal(["Expires": cacheArrivalField], status: status) == withLifetime)
    }

    @Test(
        "a redirect for now is stored if the server allows it",
        arguments: [("public", nil), ("private", nil), ("x", .notAllowed)] as [(String, StoringRefusal?)]
    )
    func storesAllowedRedirects(field: String, expected: StoringRefusal?) {
        #expect(refusal(["Cache-Control": field], status: 302) == expected)
    }

    @Test(
        "permission alone is not enough for an error: nobody knows when it is over",
        arguments: ["public", "private"]
    )
    func refusesErrorsWithPermission(field: String) {
        #expect(refusal(["Cache-Control": field], status: 404) == .errorWithoutLifetime)
    }

    @Test(
        "never stores against no-store, on either side",
        arguments: [
            (["Cache-Control": "no-store"], [:], .noStore), (["Cache-Control": "max-age=60, no-store"], [:], .noStore),
            (["Cache-Control": "max-age=60"], ["Cache-Control": "no-store"], .noStore),
            (["Cache-Control": "max-age=60", "cache-control": "no-store"], [:], .noStore),
            (["Cache-Control": "no-cache"], [:], nil), (["Cache-Control": "private"], [:], nil),
            (["Cache-Control": "max-age=60"], ["Cache-Control": "no-cache"], nil),
        ] as [(HTTPHeaders, HTTPHeaders, StoringRefusal?)]
    )
    func obeysNoStore(answer: HTTPHeaders, request: HTTPHeaders, expected: StoringRefusal?) {
        #expect(refusal(answer, request: cacheRequest(request)) == expected)
    }

    @Test("with must-understand, no-store is for who does not know the status (section 5.2.2.3)")
    func mustUnderstand() {
        let headers: HTTPHeaders = ["Cache-Control": "no-store, must-understand, max-age=60"]
        #expect(refusal(headers) == nil)
        #expect(refusal(headers, status: 299) == .status)
        #expect(refusal(headers, request: cacheRequest(["Cache-Control": "no-store"])) == .noStore)
    }

    @Test("stores nothing that varies by everything", arguments: ["*", "Accept, *", ", *", "*, *"])
    func refusesVaryStar(field: String) {
        #expect(refusal(["Cache-Control": "max-age=60", "Vary": field]) == .varies)
        #expect(refusal(["Cache-Control": "max-age=60", "Vary": "Accept", "vary": field]) == .varies)
    }

    @Test("stores nothing that varies by more than it can keep")
    func refusesLongVary() {
        let names = (0..<33).map { "n\($0)" }
        #expect(refusal(["Vary": names.joined(separator: ",")]) == .varies)
        #expect(refusal(["Vary": names.dropLast().joined(separator: ",")]) == nil)
    }

    @Test(
        "stores what GET was answered, and to no condition or range of the caller's",
        arguments: [
            (.get, [:], nil), (.head, [:], .request), (.post, [:], .request), ("get", [:], .request),
            (.get, ["Range": "bytes=0-1"], .request), (.get, ["If-None-Match": "\"a\""], .request),
            (.get, ["If-Modified-Since": cacheArrivalField], .request), (.get, ["If-Match": "\"a\""], .request),
            (.get, ["If-Unmodified-Since": cacheArrivalField], .request), (.get, ["if-range": "\"a\""], .request),
            (.get, ["Authorization": "Bearer x"], nil),
        ] as [(HTTPMethod, HTTPHeaders, StoringRefusal?)]
    )
    func storesByRequest(method: HTTPMethod, headers: HTTPHeaders, expected: StoringRefusal?) {
        #expect(refusal(Self.lifetime, request: cacheRequest(headers, method: method)) == expected)
    }

    @Test("leaves out what is about the connection, what it names, and cookies (section 3.1)")
    func leavesOutFields() throws {
        let answer = try storedAnswer([
            "Connection": "close, X-Hop", "connection": "Cache-Control, ETag", "x-hop": "1", "Keep-Alive": "1",
            "Proxy-Connection": "1", "TE": "1", "Trailer": "1", "Transfer-Encoding": "chunked", "Upgrade": "1",
            "Proxy-Authenticate": "1", "Proxy-Authentication-Info": "1", "Proxy-Authorization": "1",
            "Set-Cookie": "id=1",
            "Set-Cookie2": "id=1", "Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Kept": "1", "x-kept": "2",
        ])
        #expect(
            answer.headers == ["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Kept": "1", "x-kept": "2"]
        )
    }
}
