import FoundationEssentials
import MastheadCrypto
import MastheadSQLite

/// Seals what is personal in the rows of an outbox, and opens it; without a key everything stays as it is.
///
/// Each cell is bound to its write and its column, so that none can be put in another's place.
struct OutboxSealing: Sendable {
    /// What stands in one cell of a row.
    enum Cell: String {
        case kind, names, key, target, headers, body, value, failure
    }

    /// Everything in the clear.
    static let none = OutboxSealing(sealer: nil)

    private let sealer: CacheSealer?

    private init(sealer: CacheSealer?) {
        self.sealer = sealer
    }

    /// Takes the key of a partition; another is made of it than the cache has.
    init(_ partition: SessionPartition) throws(CryptoError) {
        sealer = try CacheSealer(key: partition.key().derived(for: "outbox"))
    }

    var isSealing: Bool { sealer != nil }

    /// What stands for a text that is looked up.
    func index(_ text: String, _ column: String) throws(DatabaseError) -> String {
        guard let sealer else { return text }
        guard let index = try? sealer.index(Array("\(column)\u{1}\(text)".utf8)) else {
            throw .failed(code: 0, message: "OpenSSL has no HMAC")
        }
        return Data(index).base64EncodedString()
    }

    func seal(_ plain: Data, _ id: OutboxItem.ID, _ cell: Cell) throws(DatabaseError) -> Data {
        guard let sealer else { return plain }
        guard let sealed = try? sealer.seal(plain, in: Self.place(id, cell)) else {
            throw .failed(code: 0, message: "OpenSSL cannot seal")
        }
        return sealed
    }

    func sealIfAny(_ plain: Data?, _ id: OutboxItem.ID, _ cell: Cell) throws(DatabaseError) -> Data? {
        guard let plain else { return nil }
        return try seal(plain, id, cell)
    }

    func sealText(_ plain: String, _ id: OutboxItem.ID, _ cell: Cell) throws(DatabaseError) -> String {
        guard isSealing else { return plain }
        return try seal(Data(plain.utf8), id, cell).base64EncodedString()
    }

    func open(_ sealed: Data, _ id: OutboxItem.ID, _ cell: Cell) throws(DatabaseError) -> Data {
        guard let sealer else { return sealed }
        guard let plain = try? sealer.open(sealed, in: Self.place(id, cell)) else { throw Self.changed }
        return plain
    }

    func openIfAny(_ sealed: Data?, _ id: OutboxItem.ID, _ cell: Cell) throws(DatabaseError) -> Data? {
        guard let sealed else { return nil }
        return try open(sealed, id, cell)
    }

    func openText(_ sealed: String, _ id: OutboxItem.ID, _ cell: Cell) throws(DatabaseError) -> String {
        guard isSealing else { return sealed }
        guard let bytes = Data(base64Encoded: sealed) else { throw Self.changed }
        return String(decoding: try open(bytes, id, cell), as: UTF8.self)
    }

    /// What a file says of the key that its rows are sealed with; `nil` for none.
    func proof() throws(DatabaseError) -> Data? {
        guard isSealing else { return nil }
        return try seal(Data(), Self.nobody, .key)
    }

    /// Whether a file's rows are sealed with this key, or with none as well.
    func fits(_ proof: Data?) -> Bool {
        guard let proof else { return !isSealing }
        return isSealing && (try? open(proof, Self.nobody, .key)) != nil
    }

    /// No write has it.
    private static let nobody = OutboxItem.ID(rawValue: "")

    private static let changed = DatabaseError.failed(code: 0, message: "a sealed piece was changed")

    private static func place(_ id: OutboxItem.ID, _ cell: Cell) -> [UInt8] {
        Array("\(cell.rawValue)\u{1}\(id.rawValue)".utf8)
    }
}

/// The names in a row that are looked up as well: where those are sealed, the names themselves stand beside them.
struct OutboxNames: Codable {
    let lane: String
    let valueKey: String?
}

extension OutboxSealing {
    /// The names as they stand beside what they are looked up by; `nil` where they are in the clear there.
    func sealNames(_ names: OutboxNames, _ id: OutboxItem.ID) throws(DatabaseError) -> Data? {
        guard isSealing else { return nil }
        guard let text = try? JSONEncoder().encode(names) else {
            throw .failed(code: 0, message: "the names do not encode")
        }
        return try seal(text, id, .names)
    }

    /// The names of a row.
    ///
    /// - Parameters:
    ///   - sealed: What stands beside them.
    ///   - id: Whose they are.
    ///   - lane: What the lane is looked up by.
    ///   - valueKey: What the value's key is looked up by.
    /// - Returns: The names.
    /// - Throws: An error if what stands beside them was changed.
    func names(
        _ sealed: Data?,
        of id: OutboxItem.ID,
        lane: String,
        valueKey: String?
    ) throws(DatabaseError) -> OutboxNames {
        guard isSealing else { return OutboxNames(lane: lane, valueKey: valueKey) }
        guard let sealed, let names = try? JSONDecoder().decode(OutboxNames.self, from: open(sealed, id, .names)) else {
            throw Self.changed
        }
        return names
    }
}
