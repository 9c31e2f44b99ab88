extension BodyRenderer {
    /// How what stands for an asset is written.
    ///
    /// ```swift
    /// let renderer = BodyRenderer(form: .compatible)
    /// ```
    public enum Form: Sendable, Hashable {
        /// Valid HTML, with URLs and captions escaped.
        case corrected

        /// Byte by byte what the publisher's earlier apps made of it: nothing is escaped, and `audio` and `video` are not
        /// closed. For style sheets and scripts that rely on it, and for publishers who can be trusted.
        case compatible
    }

    /// What a caption may be, in the corrected form.
    ///
    /// ```swift
    /// let renderer = BodyRenderer(captions: .sanitizedHTML)
    /// ```
    public enum Captions: Sendable, Hashable {
        /// Text: its tags are left out, and it is escaped.
        case text

        /// HTML, of which only harmless elements stay.
        case sanitizedHTML

        /// HTML as it is.
        case html
    }
}
