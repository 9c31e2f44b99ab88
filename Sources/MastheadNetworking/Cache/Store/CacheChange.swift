/// One change of a partition's file: done wholly, or not at all.
enum CacheChange: Sendable {
    /// Keeps entries, each in the place of the one of its key and variant.
    case put([NewEntry])

    /// Puts new heads in the place of old ones, if the payloads are still those; payloads stay as they are.
    case freshen([(place: EntryPlace, record: CacheRecord)])

    /// Gives the entry of a key that has this payload tags besides those it has.
    case tag(EntryKey, revision: Int64, Set<String>)

    /// Forgets the entry of a key.
    case remove(EntryKey)

    /// Forgets all entries of some keys.
    case removeAll([EntryKey])

    /// Forgets entries, if their payloads are still those.
    case removeExactly([EntryPlace])

    /// Forgets all that has a tag.
    case removeTagged(String)

    /// Forgets everything.
    case clear
}
