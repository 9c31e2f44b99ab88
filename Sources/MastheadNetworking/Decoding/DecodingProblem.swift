import MastheadJSON

/// What kept a value from being decoded, and where; told by kinds, without anything the payload says.
///
/// Foundation's own texts are not passed on: they quote the payload ("… from invalid String value y").
struct DecodingProblem {
    enum Kind {
        /// The member is not there.
        case missing
        /// There is `null`, or nothing more, where the type was wanted.
        case absent(Any.Type)
        /// There is something else than the type that was wanted.
        case mismatch(Any.Type)
        /// There is a number that the type cannot hold.
        case unfit(Any.Type)
        /// The value is of the right kind, and the model does not take it.
        case refused
        /// The model threw an error of its own.
        case thrown(any Error)
    }

    let kind: Kind
    let path: [any CodingKey]

    init(_ kind: Kind, at path: [any CodingKey]) {
        self.kind = kind
        self.path = path
    }

    /// Reads a decoding error; `nil` if that does not say where it happened.
    init?(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init(.missing, at: context.codingPath + [key])
        case DecodingError.valueNotFound(let type, let context):
            self.init(.absent(type), at: context.codingPath)
        case DecodingError.typeMismatch(let type, let context):
            self.init(.mismatch(type), at: context.codingPath)
        case DecodingError.dataCorrupted(let context) where context.underlyingError is UnfitNumber:
            let number = context.underlyingError as? UnfitNumber
            self.init(number.map { .unfit($0.type) } ?? .refused, at: context.codingPath)
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(.refused, at: context.codingPath)
        default: return nil
        }
    }

    /// An error that may not say itself where it happened.
    static func placed(_ error: any Error, at path: [any CodingKey]) -> DecodingProblem {
        DecodingProblem(error) ?? DecodingProblem(error is DecodingError ? .refused : .thrown(error), at: path)
    }
}
