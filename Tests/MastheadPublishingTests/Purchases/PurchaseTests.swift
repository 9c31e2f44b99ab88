import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

struct PurchaseTests {
    private let record: JSONValue = [
        "appleId": "org.example.article.1", "globalId": "a1", "mode": "IAP", "type": "article",
        "purchaseDate": "2026-01-05T10:00:00Z", "expirationDate": "2027-01-05T10:00:00.5+01:00",
        "userIdentity": "reader@example.com",
    ]

    private func decode(_ value: JSONValue) throws -> Purchase {
        try JSONDecoder().decode(Purchase.self, from: Wire.data(value))
    }

    @Test("reads a record and writes it back")
    func roundTrips() throws {
        let purchase = try decode(record)
        #expect(
            purchase
                == Purchase(
                    sku: "org.example.article.1",
                    kind: .article,
                    globalID: "a1",
                    mode: .inApp,
                    purchaseDate: Date(timeIntervalSince1970: 1_767_607_200),
                    expirationDate: Date(timeIntervalSince1970: 1_799_139_600.5),
                    user: "reader@example.com"
                )
        )
        for purchase in [purchase, Purchase(sku: "x"), Purchase(sku: "y", kind: .other("pass"), mode: .other("Gift"))] {
            #expect(try JSONDecoder().decode(Purchase.self, from: JSONEncoder().encode(purchase)) == purchase)
        }
    }

    @Test("tells two readers' purchases of one product apart")
    func ids() {
        let one = Purchase(sku: "x", user: "a@example.com")
        let other = Purchase(sku: "x", user: "b@example.com")
        #expect(one.id != other.id)
        #expect(one.id == Purchase(sku: "x", mode: .web, user: "a@example.com").id)
    }

    @Test(
        "reports a wrong type at any field, and a record without a SKU",
        arguments: ["appleId", "globalId", "mode", "type", "purchaseDate", "expirationDate", "userIdentity"]
    )
    func wrongTypes(key: String) throws {
        let error = #expect(throws: DecodingError.self) { try decode(record.replacing([key], with: 7)) }
        guard case .typeMismatch(_, let context) = error else {
            Testing.Issue.record("expected a mismatch")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == [key])
        for value in [nil, JSONValue.null] {
            let changed = record.replacing([key], with: value)
            if key == "appleId" {
                #expect(throws: DecodingError.self) { try decode(changed) }
            } else {
                #expect(try decode(changed).sku == "org.example.article.1")
            }
        }
    }
}
