public import FoundationEssentials

/// Makes HTML of an article's text: with its assets where the text has placeholders for them.
///
/// ```swift
/// let renderer = BodyRenderer(sanitizesHTML: true) { asset, file in contentURL(of: asset, file) }
/// let html = try await library.html(of: article, renderer)
/// ```
///
/// A placeholder becomes `<div class='article_image'>` with the picture, sound or film, and with its source and caption. One
/// for an asset that is not known leaves nothing. A paragraph that holds a placeholder at its beginning goes on after the
/// asset.
public struct BodyRenderer: Sendable {
    /// Where the file of an asset can be loaded from: given the asset, and its file in the library if there is one.
    public typealias Source = @Sendable (_ asset: Asset, _ file: URL?) -> URL?

    /// How what stands for an asset is written.
    public var form: Form

    /// What captions may be; in the compatible form they are HTML as it is.
    public var captions: Captions

    /// Whether only harmless elements of the text stay.
    public var sanitizesHTML: Bool

    /// What a picture is called where it cannot be seen.
    public var alternativeText: String

    /// What placeholders look like.
    public var pattern: BodyPattern

    /// Where files can be loaded from; `nil` leaves out the picture, sound or film and shows the caption alone.
    public var source: Source

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - form: How what stands for an asset is written.
    ///   - captions: What captions may be.
    ///   - sanitizesHTML: Whether only harmless elements of the text stay: for publishers who cannot be trusted.
    ///   - alternativeText: What a picture is called where it cannot be seen.
    ///   - pattern: What placeholders look like.
    ///   - source: Where files can be loaded from; by default from the library and from nowhere else.
    public init(
        form: Form = .corrected,
        captions: Captions = .text,
        sanitizesHTML: Bool = false,
        alternativeText: String = "Tap to enlarge image",
        pattern: BodyPattern = .standard,
        source: @escaping Source = { _, file in file }
    ) {
        self.form = form
        self.captions = captions
        self.sanitizesHTML = sanitizesHTML
        self.alternativeText = alternativeText
        self.pattern = pattern
        self.source = source
    }

    /// The ids of the assets that a text has placeholders for, each once, in order.
    public func assetIDs(in body: String) -> [Asset.ID] {
        pattern.placeholders(in: body).map(\.asset).unique()
    }

    /// Makes HTML of a text.
    ///
    /// - Parameters:
    ///   - body: The text.
    ///   - assets: What is known of its assets.
    ///   - files: The files of those that have one.
    /// - Returns: The HTML, without any placeholder.
    public func html(_ body: String, assets: [Asset], files: [Asset.ID: URL] = [:]) -> String {
        let body = sanitizesHTML ? HTMLSanitizer(keeping: pattern).sanitized(body) : body
        let known = Dictionary(assets.map { ($0.id, $0) }) { first, _ in first }
        var html = ""
        var end = body.startIndex
        for placeholder in pattern.placeholders(in: body) {
            html += body[end..<placeholder.range.lowerBound]
            end = placeholder.range.upperBound
            guard let asset = known[placeholder.asset] else { continue }
            let figure = block(asset, source(asset, files[asset.id])?.absoluteString)
            guard html.hasSuffix("<p>") else {
                html += figure
                continue
            }
            html.removeLast(3)
            html += figure
            // Nothing is left of a paragraph that held nothing else.
            if form == .corrected, body[end...].hasPrefix("</p>") {
                end = body.index(end, offsetBy: 4)
            } else {
                html += "<p>"
            }
        }
        return html + body[end...]
    }

    // MARK: An asset

    private func block(_ asset: Asset, _ url: String?) -> String {
        let player = url.map { media(asset.kind, escaped($0)) } ?? ""
        let (author, caption) = (shown(asset.source), shown(asset.caption))
        var texts = author.isEmpty ? "" : "<span class='source'>\(author)</span>"
        if !caption.isEmpty { texts += "<span class='caption'>\(caption)</span>" }
        if !texts.isEmpty { texts = "<div class='article_caption'>\(texts)</div>" }
        return "<div class='article_image'>\(player)\(texts)</div>"
    }

    private func media(_ kind: Asset.Kind, _ url: String) -> String {
        let isCorrected = form == .corrected
        switch kind {
        case .image: return "<img src='\(url)' alt='\(escaped(alternativeText))' />"
        case .sound: return "<audio src='\(url)' controls='controls'\(isCorrected ? "></audio>" : " />")"
        case .video: return "<video src='\(url)' controls\(isCorrected ? "></video>" : " />")"
        case .other: return ""
        }
    }

    private func escaped(_ text: String) -> String {
        form == .corrected ? HTMLText.escaped(text) : text
    }

    private func shown(_ text: String) -> String {
        guard form == .corrected else { return text }
        return switch captions {
        case .text: HTMLText.escaped(HTMLText.plain(text))
        case .sanitizedHTML: HTMLSanitizer().sanitized(text)
        case .html: text
        }
    }
}
