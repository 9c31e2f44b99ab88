package import FoundationEssentials

/// What is kept of a download beside its part file, so that it can go on later with the same bytes and no others.
///
/// There is one only for an answer with a strong validator: a strong entity tag, or without any tag a `Last-Modified` so
/// far before its `Date` that nothing can have changed within the second (RFC 9110, section 8.8.2.2).
package struct ResumeState: Sendable, Hashable, Codable {
    /// What was asked for, as the caller named it.
    package let url: String

    /// What `If-Range` says: a strong entity tag or a date, as the server wrote it.
    package let validator: String

    /// How many bytes there are in all; `nil` if the server did not say.
    package let size: Int?

    /// In which login it was asked for; `nil` for in nobody's name.
    package let owner: String?

    /// The validator, if it is an entity tag.
    var entityTag: EntityTag? { EntityTag(validator) }

    /// What to keep of an answer that begins a download; `nil` if it cannot be gone on with.
    ///
    /// - Parameters:
    ///   - url: What was asked for: a text without secrets, for it is kept in a file.
    ///   - owner: In which login it was asked for.
    ///   - status: The answer's status.
    ///   - headers: The answer's header fields.
    ///   - now: Decides the century of a date with a year of two digits.
    package init?(url: String, owner: String? = nil, status: Int, headers: HTTPHeaders, now: Date) {
        guard status == 200, headers.hasIdentityCoding, headers.single("Accept-Ranges")?.lowercased() != "none",
            let validator = Self.validator(in: headers, now: now)
        else { return nil }
        self.init(url: url, validator: validator, size: headers.contentLength, owner: owner)
    }

    /// Reads what was kept; what could not have been is an error, whoever wrote it.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let state = ResumeState(
            url: try values.decode(String.self, forKey: .url),
            validator: try values.decode(String.self, forKey: .validator),
            size: try values.decodeIfPresent(Int.self, forKey: .size),
            owner: try values.decodeIfPresent(String.self, forKey: .owner)
        )
        guard let state else {
            throw DecodingError.dataCorruptedError(forKey: .validator, in: values, debugDescription: "no resume state")
        }
        self = state
    }

    private init?(url: String, validator: String, size: Int?, owner: String?) {
        // A date's century does not matter here, and a field of more than this no server takes.
        let isDate = Date(httpDate: validator, now: Date(timeIntervalSince1970: 0)) != nil
        guard isDate || EntityTag(validator)?.isWeak == false, validator.utf8.count <= 1024, size ?? 0 >= 0 else {
            return nil
        }
        self.url = url
        self.validator = validator
        self.size = size
        self.owner = owner
    }

    private static func validator(in headers: HTTPHeaders, now: Date) -> String? {
        if headers["ETag"] != nil {
            guard let tag = headers.single("ETag").flatMap(EntityTag.init), !tag.isWeak else { return nil }
            return tag.description
        }
        // The RFC leaves open how far apart two clocks may be; a minute is what RFC 7232, section 2.2.2, had.
        guard let modified = headers.single("Last-Modified"), let date = headers.single("Date"),
            let change = Date(httpDate: modified, now: now), let answer = Date(httpDate: date, now: now),
            answer.timeIntervalSince(change) >= 60
        else { return nil }
        return modified
    }
}

extension HTTPHeaders {
    /// The value of a field that stands there once, or always with the same value; `nil` otherwise.
    func single(_ name: String) -> String? {
        let values = Set(values(of: name).map { String($0.trimmingBlanks) })
        return values.count == 1 ? values.first : nil
    }

    /// The size of the body; `nil` if it is not said, or not in one way.
    var contentLength: Int? {
        guard self["Transfer-Encoding"] == nil, let text = single("Content-Length"), text.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return Int(text)
    }

    /// Whether the body is the bytes themselves, not a coding of them.
    var hasIdentityCoding: Bool {
        values(of: "Content-Encoding").allSatisfy { value in
            value.split(separator: ",").allSatisfy { coding in
                let name = String(coding).trimmingBlanks
                return name.isEmpty || String(name).isEqualIgnoringASCIICase("identity")
            }
        }
    }
}
