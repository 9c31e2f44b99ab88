import FoundationEssentials
import MastheadJSON

/// How the repository that got an answer decodes it, and to whom it reports.
final class ResponseDecoding: Sendable {
    private let decoder: any ResponseDecoder
    /// Whether the decoder refuses by itself what is not UTF-8: then the bytes need not be looked at twice.
    private let seesBytes: Bool
    private let options: DecodingOptions
    private let report: (@Sendable (DecodingFailure) -> Void)?

    /// That of an answer which an app made itself.
    static let standard = ResponseDecoding(MastheadDecoder(), DecodingOptions(), report: nil)

    init(_ decoder: any ResponseDecoder, _ options: DecodingOptions, report: (@Sendable (DecodingFailure) -> Void)?) {
        self.decoder = decoder
        seesBytes = decoder is MastheadDecoder
        self.options = options
        self.report = report
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
            text = try BodyText(body, contentType: headers["Content-Type"], isChecked: !seesBytes)
        } catch {
            throw explained(error, type)
        }
        do {
            return try decoder.decode(type, from: text.utf8, options)
        } catch {
            do throws(TextFailure) { try text.check() } catch { throw explained(error, type) }
            throw explained(error, type, text)
        }
    }

    /// Tells why a body is no text, to the hook and as an error.
    private func explained(_ error: TextFailure, _ type: Any.Type) -> RepositoryError {
        let failure = DecodingFailure(model: ModelName(type).text, reason: error.reason, byteOffset: error.offset)
        report?(failure)
        return .jsonError(failure)
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
        // Asked of the bytes and not of the error: Foundation's decoder calls a number that does not fit "not valid JSON"
        // too.
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
        let tape = options.makeTapeDecoder()
        let problem = DecodingProblem(error) ?? Self.problem(of: type, in: body.utf8, tape) ?? .placed(error, at: [])
        let failure = DecodingFailure(model: model, problem, in: body, tape)
        report?(failure)
        return .decodeError(failure)
    }
}

extension ResponseDecoding {
    /// What goes wrong and where, found out by decoding again: an error of the model's own, and some of Foundation's, do
    /// not say where they were thrown.
    private static func problem<Value: Decodable>(
        of type: Value.Type,
        in body: Data,
        _ decoder: TapeDecoder
    ) -> DecodingProblem? {
        decoder.failure(of: type, from: body).map { .placed($0.error, at: $0.path) }
    }
}

/// A type with a value that stands for "nothing there".
private protocol AbsenceRepresentable {
    static var absence: Self { get }
}

extension Optional: AbsenceRepresentable {
    fileprivate static var absence: Wrapped? { nil }
}
