extension Asset {
    /// What an asset is.
    ///
    /// ```swift
    /// let playlist = assets.filter { $0.kind == .sound }
    /// ```
    public enum Kind: Sendable, Hashable {
        /// A picture.
        case image

        /// A sound; `audio` on the wire.
        case sound

        /// A film.
        case video

        /// Anything else, in the publisher's own words; `""` if the server does not say.
        case other(String)
    }
}

extension Asset.Kind: RawRepresentable {
    /// Reads the word of the wire; letters count as they are written.
    public init(rawValue: String) {
        self =
            switch rawValue {
            case "image": .image
            case "audio", "sound": .sound
            case "video": .video
            default: .other(rawValue)
            }
    }

    /// The word of the wire.
    public var rawValue: String {
        switch self {
        case .image: "image"
        case .sound: "audio"
        case .video: "video"
        case .other(let word): word
        }
    }
}
