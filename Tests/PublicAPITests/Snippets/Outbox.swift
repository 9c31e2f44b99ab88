import MastheadNetworking

nonisolated private struct Note: Codable, Sendable {
    let id: String
    let text: String
}

nonisolated private struct Badge: Sendable {
    func show(waiting: Int, parked: Int) {}
}

private func write(
    _ bookmark: Bookmark,
    _ note: Note,
    of reader: String,
    _ bookmarks: BookmarkRepository,
    in folder: String,
    _ drafts: Drafts
) async throws {
    // snippet
    let outbox = try await Outbox.open(in: folder, for: reader, sending: bookmarks, showing: drafts).get()

    let add = OutboxWrite("bookmark.add", in: "bookmarks", .post("bookmarks", body: .json(bookmark)))
        .showing(bookmark, for: "bookmarks/\(bookmark.id)")
    let annotate = OutboxWrite("note.add", in: "notes", .post("notes", body: .json(note)), after: [add.id])
    try await outbox.enqueue([add, annotate]).get()  // kept on disk, with or without a network

    let drain = await outbox.drain()  // now; and when there is a network again:
    await outbox.networkBecameAvailable()
    // end
    _ = drain
}

private func watch(_ outbox: Outbox, _ badge: Badge) async throws {
    // snippet
    for try await state in outbox.states {
        badge.show(waiting: state.pending + state.sending, parked: state.parked)
    }
    // end
}

private func decide(_ outbox: Outbox) async throws {
    func askReader(_ kind: String, _ status: Int?) async -> Bool { true }
    // snippet
    for item in try await outbox.items().get() where item.state == .parked {
        if await askReader(item.kind, item.failure?.status) {
            await outbox.retry(item.id)
        } else {
            await outbox.discard(item.id)
        }
    }
    // end
}

// snippet
actor Drafts: OptimisticStore {
    private var unconfirmed: [String: OptimisticValue] = [:]

    func restore(_ values: [OptimisticValue]) {
        unconfirmed = Dictionary(values.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    func apply(_ value: OptimisticValue) {
        unconfirmed[value.key] = value
    }

    func commit(_ value: OptimisticValue, answer: HTTPResponse, remaining: OptimisticValue?) {
        unconfirmed[value.key] = remaining  // and what the server answered is what it has now
    }

    func rollBack(_ value: OptimisticValue, remaining: OptimisticValue?) {
        unconfirmed[value.key] = remaining
    }
}
// end
