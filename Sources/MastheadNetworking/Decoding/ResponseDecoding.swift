import FoundationEssentials

/// How the repository that got an answer decodes it, and to whom it reports.
struct ResponseDecoding: Sendable {
    let options: DecodingOptions
    let report: (@Sendable (DecodingFailure) -> Void)?

    /// Makes a value of a body, and reports once if that fails.
    func value<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        headers: HTTPHeaders,
        status: Int
    ) throws(RepositoryError) -> Value {
        if body.isEmpty {
            guard let absent = (type as? any AbsenceRepresentable.Type)?.absence as? Value else {
                throw .emptyBody(status: status)
            }
            return absent
        }
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            let failure = DecodingFailure(model: "\(type)", reason: "")
            report?(failure)
            throw .decodeError(failure)
        }
    }
}

/// A type with a value that stands for "nothing there".
private protocol AbsenceRepresentable {
    static var absence: Self { get }
}

extension Optional: AbsenceRepresentable {
    fileprivate static var absence: Wrapped? { nil }
}
