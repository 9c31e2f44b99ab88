public import Foundation

/// What a server says.
public struct Answer: Sendable {
    public let status: Int
    public let contentType: String
    public let body: Data

    /// More header fields.
    public let fields: [(name: String, value: String)]

    init(status: Int = 200, contentType: String, body: Data, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.fields = fields
    }

    /// The error body of the house: the status as text, a title, what happened, and a code for programs.
    public static func refusal(_ status: Int, _ title: String, _ detail: String, code: String) -> Answer {
        let members = ["status": String(status), "title": title, "detail": detail, "code": code]
        let body = try? JSONSerialization.data(
            withJSONObject: members,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return Answer(
            status: status,
            contentType: "application/json",
            body: body ?? Data("{}".utf8),
            fields: status == 405 ? [("Allow", "GET, HEAD")] : []
        )
    }
}
