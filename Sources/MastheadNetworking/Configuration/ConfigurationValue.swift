import FoundationEssentials

/// A value for a setting: of a file's JSON, or the text of an environment variable.
///
/// Each property is the value as one kind of thing; `nil` if it is none. A file must have the kind itself, a variable
/// its text; a port may be text in both, as in the files that deployments hand around.
struct ConfigurationValue: Sendable {
    let json: JSONValue

    /// Whether it comes from an environment variable, in which everything is text.
    let isVariable: Bool

    /// The folder against which a relative path is taken; `nil` for the process's own.
    let folder: String?

    var text: String? { json.stringValue }

    /// The path, from the file's folder if it is relative.
    var path: String? {
        guard let text, !text.isEmpty else { return nil }
        guard let folder, !text.hasPrefix("/") else { return text }
        return folder.hasSuffix("/") ? folder + text : folder + "/" + text
    }

    var whole: Int? {
        guard isVariable, let text else { return json.intValue }
        return Int(text)
    }

    var port: Int? {
        guard let text else { return json.intValue }
        return text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
    }

    var flag: Bool? {
        if !isVariable { return if case .bool(let value) = json { value } else { nil } }
        return switch text?.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    var seconds: Duration? {
        let number = isVariable ? text.flatMap(Double.init) : json.doubleValue
        // Ten thousand years: what is beyond would overflow the clock's arithmetic sooner or later.
        guard let number, number.magnitude <= 315_576_000_000 else { return nil }
        return .seconds(number)
    }

    /// The elements of a list of texts; of a variable, what stands between its commas.
    var list: [String]? {
        if isVariable {
            return text?.split(separator: ",").map { String(String($0).trimmingBlanks) }.filter { !$0.isEmpty }
        }
        guard let elements = json.arrayValue else { return nil }
        let texts = elements.compactMap(\.stringValue)
        return texts.count == elements.count ? texts : nil
    }

    /// Header fields: an object of texts; of a variable, such an object as JSON.
    var headers: HTTPHeaders? {
        texts.map { texts in
            var headers = HTTPHeaders()
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) { headers[name] = text }
            return headers
        }
    }

    /// An object of texts; of a variable, such an object as JSON.
    var texts: [String: String]? {
        guard let members = (isVariable ? parsed : json)?.objectValue else { return nil }
        let texts = members.compactMapValues(\.stringValue)
        return texts.count == members.count ? texts : nil
    }

    /// An object; of a variable, one as JSON.
    var object: JSONValue? {
        guard let object = isVariable ? parsed : json, object.objectValue != nil else { return nil }
        return object
    }

    /// The value as that kind, or `.some(nil)` for `null`, which takes back what was set before.
    func orNull<Kind>(_ kind: (ConfigurationValue) -> Kind?) -> Kind?? {
        json.isNull ? .some(nil) : kind(self).map(Optional.some)
    }

    private var parsed: JSONValue? {
        text.flatMap { try? JSONText(Data($0.utf8)).value() }
    }
}
