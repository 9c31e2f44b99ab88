import FoundationEssentials

/// How the repository that got an answer decodes it, and to whom it reports.
final class ResponseDecoding: Sendable {
    let options: DecodingOptions
    let report: (@Sendable (DecodingFailure) -> Void)?

    /// Made once: it is set up before it is used, and then by any number of calls at once.
    private let decoder: JSONDecoder

    init(options: DecodingOptions, report: (@Sendable (DecodingFailure) -> Void)?) {
        self.options = options
        self.report = report
        decoder = options.makeDecoder()
    }

    /// Makes a value of a body, and reports once if that fails.
    ///
    /// - Throws: ``RepositoryError/emptyBody(status:)``, ``RepositoryError/jsonError(_:)`` or
    ///   ``RepositoryError/decodeError(_:)``.
    func value<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        headers: HTTPHeaders,
        status: Int
    ) throws(RepositoryError) -> Value {
        if body.isEmpty {
            guard let absent = (type as? any AbsenceRepresentable.Type)?.absence as? Value else {
                let error = RepositoryError.emptyBody(status: status)
                reportMissingBody(error, of: type)
                throw error
            }
            return absent
        }
        let text: BodyText
        do throws(TextFailure) {
            text = try BodyText(body, contentType: headers["Content-Type"])
        } catch {
            let failure = DecodingFailure(model: ModelName(type).text, reason: error.reason, byteOffset: error.offset)
            report?(failure)
            throw .jsonError(failure)
        }
        do {
            return try decoder.decode(type, from: text.utf8)
        } catch {
            throw explained(error, type, text)
        }
    }

    /// Reports that a model was wanted of a body that is not there, not whole or too big; other errors are no business
    /// of the hook's.
    func reportMissingBody(_ error: RepositoryError, of type: Any.Type) {
        switch error {
        case .emptyBody, .incompleteBody, .corruptBody, .bodyTooLarge:
            report?(DecodingFailure(model: ModelName(type).text, reason: error.description))
        default: break
        }
    }

    /// Tells why a body did not decode, to the hook and as an error.
    private func explained<Value: Decodable>(
        _ error: any Error,
        _ type: Value.Type,
        _ body: BodyText
    ) -> RepositoryError {
        let text = JSONText(body.utf8)
        let model = ModelName(type).text
        // Asked of the bytes and not of the error: Foundation calls a number that does not fit "not valid JSON" too.
        if let syntax = text.syntaxError {
            let failure = DecodingFailure(
                model: model,
                reason: syntax.reason,
                byteOffset: body.bodyOffset(syntax.offset),
                snippet: text.snippet(around: syntax.offset)
            )
            report?(failure)
            return .jsonError(failure)
        }
        let problem =
            DecodingProblem(error)
            ?? TracingDecoder.problem(of: type, in: text.bytes, options)
            ?? .unknown(error)
        let failure = DecodingFailure(model: model, problem, in: body, keys: options.keys)
        report?(failure)
        return .decodeError(failure)
    }
}

/// A type with a value that stands for "nothing there".
private protocol AbsenceRepresentable {
    static var absence: Self { get }
}

extension Optional: AbsenceRepresentable {
    fileprivate static var absence: Wrapped? { nil }
}
