public import Foundation

/// What a server says.
public struct Answer: Sendable {
    public let status: Int
    public let contentType: String
    public let body: Data

    /// One more header field, where the status asks for one.
    public let field: (name: String, value: String)?

    init(status: Int = 200, contentType: String, body: Data, field: (name: String, value: String)? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.field = field
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
            field: status == 405 ? ("Allow", "GET, HEAD") : nil
        )
    }
}
