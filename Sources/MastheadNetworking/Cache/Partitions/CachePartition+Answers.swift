import FoundationEssentials

/// A server's answer as it is kept, with as much of its payload as there is at hand.
struct KeptAnswer: Sendable {
    var answer: StoredAnswer
    var record: CacheRecord
    let origin: CacheOrigin

    /// The payload, if it was read together with the head.
    var body: Data?

    /// What the payload was decoded to, if that is of the type that is wanted.
    var value: (any Sendable)?
}

extension CachePartition {
    /// The answers that are kept for a request, whichever they vary by.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - request: What it asks for.
    ///   - model: What the answer is to be decoded to; `nil` for nothing.
    /// - Returns: The answers.
    func answers(to key: EntryKey, of request: CacheKey, as model: Any.Type?) async -> [KeptAnswer] {
        guard !hasEnded else { return [] }
        let place = MemoryTier.Key(partition: number, key: key)
        let version = broadcaster.version
        var isFirst = false
        if let slot = memory.use(place, isFirst: &isFirst) {
            if isFirst { for candidate in slot.candidates { store.touch(candidate.record.row) } }
            let known = slot.candidates.compactMap { candidate in
                candidate.answer.map { answer in
                    KeptAnswer(
                        answer: answer,
                        record: candidate.record,
                        origin: .memory,
                        body: candidate.body,
                        value: model.flatMap { candidate.value(of: $0) }
                    )
                }
            }
            return known
        }
        let rows = await store.rows(of: key)
        let kept = rows.compactMap { row in
            StoredAnswer(decoding: row.record.head, key: request).map { answer in
                var record = row.record
                // In the file it may be sealed.
                record.variant = answer.variantBytes
                return KeptAnswer(answer: answer, record: record, origin: .disk, body: row.body)
            }
        }
        for one in kept { store.touch(one.record.row) }
        updateMemory(of: key) { [broadcaster] slot in
            guard slot == nil, !kept.isEmpty, broadcaster.version == version, !hasEnded else { return }
            slot = MemorySlot(candidates: kept.map { .init(record: $0.record, answer: $0.answer) })
        }
        return kept
    }

    /// The payload of an answer; `nil` if it is not there any more.
    func body(of kept: KeptAnswer, key: EntryKey) async -> Data? {
        if let body = kept.body { return body }
        var body = Data()
        body.reserveCapacity(kept.record.size)
        for number in 0..<max(1, kept.record.pieces) {
            guard let piece = await store.piece(number, of: kept.record, key: key) else {
                forgetInMemory(key)
                return nil
            }
            body += piece
        }
        return body.count == kept.record.size ? body : nil
    }

    /// Keeps an answer with its payload, in the place of others.
    ///
    /// - Returns: What is known of it from now on; `nil` if nothing may be kept any more.
    func keep(
        _ answer: StoredAnswer,
        body: Data,
        replacing old: [KeptAnswer],
        known: [KeptAnswer],
        key: EntryKey,
        type: Any.Type?,
        tags: Set<String>
    ) -> CacheRecord? {
        let record = CacheRecord(
            revision: CacheRecord.newRevision(),
            variant: answer.variantBytes,
            stored: answer.responseTime,
            size: body.count,
            pieces: CacheFile.pieces(of: body.count),
            head: Data(answer.encoded())
        )
        // Larger than all there is room for: it would push everything out, and then itself.
        guard body.count <= options.diskLimit / 4 else {
            remove(old, known: known, key: key)
            return nil
        }
        let others = old.filter { $0.record.variant != record.variant }
        var entry = NewEntry(key: key, record: record, body: body, tags: tags, type: type, answer: answer)
        entry.inherited = others.map { EntryPlace(key: key, variant: $0.record.variant, revision: $0.record.revision) }
        do throws(CacheError) {
            try keep([entry], known: known)
            remove(others, known: known, key: key)
            return record
        } catch {
            return nil
        }
    }

    /// Begins to keep an answer whose payload comes piece by piece; `nil` if nothing may be kept any more.
    func intake(
        of answer: StoredAnswer,
        replacing old: [KeptAnswer],
        known: [KeptAnswer],
        key: EntryKey,
        tags: Set<String>
    ) -> CacheIntake? {
        guard !hasEnded else { return nil }
        let record = CacheRecord(
            revision: CacheRecord.newRevision(),
            variant: answer.variantBytes,
            stored: answer.responseTime,
            size: 0,
            head: Data(answer.encoded())
        )
        var entry = NewEntry(key: key, record: record, body: Data(), tags: tags, answer: answer)
        let others = old.filter { $0.record.variant != record.variant }
        entry.inherited = others.map { EntryPlace(key: key, variant: $0.record.variant, revision: $0.record.revision) }
        return CacheIntake(entry, in: store, limit: options.diskLimit / 4) { [self] in
            remove(others, known: known, key: key)
            // What memory knows is the one before it.
            broadcaster.announce()
            updateMemory(of: key) { slot in
                slot?.isComplete = false
                if slot?.isPinned == false { slot = nil }
            }
            broadcaster.changed(key)
        }
    }

    /// Puts new heads in the place of old ones; the payloads stay as they are.
    ///
    /// - Parameters:
    ///   - updates: The answers with their new heads.
    ///   - known: All that the disk has of the key.
    ///   - key: The key.
    func freshen(_ updates: [(kept: KeptAnswer, answer: StoredAnswer)], known: [KeptAnswer], key: EntryKey) {
        guard !updates.isEmpty, !hasEnded else { return }
        broadcaster.announce()
        let changes = updates.map { update in
            var record = update.kept.record
            record.variant = update.answer.variantBytes
            record.head = Data(update.answer.encoded())
            let place = EntryPlace(key: key, variant: update.kept.record.variant, revision: record.revision)
            return (place: place, record: record, answer: update.answer)
        }
        updateMemory(of: key) { [self] slot in
            guard !hasEnded else { return }
            // If memory knows nothing of it, it must not read the old head before the new one is there.
            slot = slot ?? MemorySlot(candidates: known.map { .init(record: $0.record, answer: $0.answer) })
            slot?.pins += 1
            for change in changes {
                for index in slot?.candidates.indices ?? 0..<0
                where slot?.candidates[index].record.revision == change.record.revision {
                    let row = slot?.candidates[index].record.row
                    slot?.candidates[index].record = change.record
                    slot?.candidates[index].record.row = row ?? change.record.row
                    slot?.candidates[index].answer = change.answer
                }
            }
        }
        store.enqueue(.freshen(changes.map { ($0.place, $0.record) })) { [self] in unpin([key], rows: $0) }
    }

    /// Forgets some of a request's answers.
    ///
    /// - Parameters:
    ///   - old: The answers.
    ///   - known: All that the disk has of the key.
    ///   - key: The key.
    func remove(_ old: [KeptAnswer], known: [KeptAnswer], key: EntryKey) {
        guard !old.isEmpty, !hasEnded else { return }
        let revisions = Set(old.map(\.record.revision))
        broadcaster.announce()
        updateMemory(of: key) { [self] slot in
            guard !hasEnded else { return }
            slot = slot ?? MemorySlot(candidates: known.map { .init(record: $0.record, answer: $0.answer) })
            slot?.pins += 1
            slot?.candidates.removeAll { revisions.contains($0.record.revision) }
        }
        let places = old.map { EntryPlace(key: key, variant: $0.record.variant, revision: $0.record.revision) }
        store.enqueue(.removeExactly(places)) { [self] in
            // What memory did not know of, it cannot tell: the next look is at the disk.
            unpin([key], rows: $0)
        }
        broadcaster.changed(key)
    }

    /// Forgets all answers to some requests.
    func removeAnswers(to keys: [EntryKey]) {
        guard !keys.isEmpty, !hasEnded else { return }
        invalidate()
        forget(keys)
        store.enqueue(.removeAll(keys)) { [self] in unpin(keys, rows: $0) }
        for key in keys { broadcaster.changed(key) }
    }

    /// Keeps what an answer was decoded to, as long as memory knows the answer.
    func remember<Value: Sendable>(_ value: Value, decodedFrom record: CacheRecord, key: EntryKey) {
        updateMemory(of: key) { slot in
            guard let index = slot?.candidates.firstIndex(where: { $0.record.revision == record.revision }),
                slot?.candidates[index].value(Value.self) == nil
            else { return }
            slot?.candidates[index].values.append((ObjectIdentifier(Value.self), value))
        }
    }
}

extension StoredAnswer {
    /// Which of its key's answers it is, in bytes.
    var variantBytes: [UInt8] { variant.digest + variant.names.joined(separator: ",").utf8 }
}
