public import FoundationEssentials
public import MastheadNetworking

/// What a reader has bought or was given: one product, one reader.
///
/// ```swift
/// let purchase = Purchase(sku: "org.example.tidewater.article.101", kind: .article, mode: .web, user: Secret(email))
/// ```
///
/// It is told apart by its SKU *and* its reader, so that two readers of one device do not overwrite each other's.
public struct Purchase: Sendable, Hashable, Identifiable {
    /// What tells one purchase from another.
    public struct ID: Sendable, Hashable {
        /// What was bought.
        public let sku: SKU

        /// Who bought it; `nil` for whoever uses the device.
        public let user: Secret?

        /// Makes an id.
        public init(sku: SKU, user: Secret? = nil) {
            self.sku = sku
            self.user = user
        }
    }

    /// What was bought; `appleId` in records.
    public var sku: SKU

    /// What it is.
    public var kind: Kind

    /// The id of the volume, issue or article, `""` if unknown; `globalId` in records.
    public var globalID: String

    /// How it was bought.
    public var mode: Mode

    /// When it was bought.
    public var purchaseDate: Date?

    /// When it ends; `nil` for what is no subscription.
    public var expirationDate: Date?

    /// Who bought it, by their e-mail address, `nil` for whoever uses the device; `userIdentity` in records.
    public var user: Secret?

    /// Makes a purchase.
    public init(
        sku: SKU,
        kind: Kind = .other(""),
        globalID: String = "",
        mode: Mode = .other(""),
        purchaseDate: Date? = nil,
        expirationDate: Date? = nil,
        user: Secret? = nil
    ) {
        self.sku = sku
        self.kind = kind
        self.globalID = globalID
        self.mode = mode
        self.purchaseDate = purchaseDate
        self.expirationDate = expirationDate
        self.user = user
    }

    /// What tells it from others.
    public var id: ID { ID(sku: sku, user: user) }
}
