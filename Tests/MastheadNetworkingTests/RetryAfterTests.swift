import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("RetryAfter")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "waits as long as a server asks, and ignores what asks for nothing",
        arguments: [
            ("2", .seconds(2)), ("0", .zero), (" 5\t", .seconds(5)), ("007", .seconds(7)), ("-3", nil), ("+3", nil),
            ("1.5", nil), ("soon", nil), ("", nil), ("2, 3", nil), ("٣", nil),
            ("99999999999", .seconds(2_147_483_647)), ("99999999999999999999999", .seconds(2_147_483_647)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("Sun Nov  6 08:49:39 1994", .seconds(2)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(2_147_483_647)), ("Fri, 31 Dec 9999 23:59:59", nil),
        ] as [(String, Duration?)]
    )
    func waits(field: String, expected: Duration?) {
        #expect(RetryAfter.delay(of: field, at: now) == expected)
    }
}
