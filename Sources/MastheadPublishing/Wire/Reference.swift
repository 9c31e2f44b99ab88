/// How one object names another on the wire: `{"id": …}`, whatever else stands beside the id.
struct Reference<Owner>: Codable {
    let id: Identifier<Owner>

    init(_ id: Identifier<Owner>) {
        self.id = id
    }
}
