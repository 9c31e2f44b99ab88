import MastheadNetworking

extension Purchase: Codable {
    private enum CodingKeys: String, CodingKey {
        case appleId, globalId, mode, type, purchaseDate, expirationDate, userIdentity
    }

    /// Reads a record.
    ///
    /// - Throws: `DecodingError` when there is no SKU, or when a field has a type that no record has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let user = try container.text(.userIdentity)
        try self.init(
            sku: container.decode(SKU.self, forKey: .appleId),
            kind: Kind(rawValue: container.text(.type)),
            globalID: container.text(.globalId),
            mode: Mode(rawValue: container.text(.mode)),
            purchaseDate: container.date(.purchaseDate),
            expirationDate: container.date(.expirationDate),
            user: user.isEmpty ? nil : Secret(user)
        )
    }

    /// Writes a record, the reader's e-mail address among it: it belongs into an encrypted file.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sku, forKey: .appleId)
        try container.encode(kind.rawValue, forKey: .type)
        try container.encode(globalID, forKey: .globalId)
        try container.encode(mode.rawValue, forKey: .mode)
        if purchaseDate != nil { try container.encode(date: purchaseDate, forKey: .purchaseDate) }
        if expirationDate != nil { try container.encode(date: expirationDate, forKey: .expirationDate) }
        try container.encode(user?.value ?? "", forKey: .userIdentity)
    }
}
