/// What becomes of a piece of a body.
enum BodyVerdict {
    case taken
    /// It is to be offered again when the exchange is resumed.
    case later
    case refused
}
