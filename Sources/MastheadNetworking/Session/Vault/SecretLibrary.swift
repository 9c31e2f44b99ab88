import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// libsecret, loaded when it is wanted and if it is there; for one thread, which its calls block.
///
/// Only functions without variable arguments are called, and no structure of its is laid out here but `GError`, which is
/// part of GLib's stable interface.
struct SecretLibrary: ~Copyable {
    typealias Handle = UnsafeMutableRawPointer
    typealias Text = UnsafePointer<CChar>
    private typealias ErrorPlace = UnsafeMutablePointer<Handle?>

    private static let names = ["libsecret-1.so.0", "libsecret-1.so", "libsecret-1.dylib"]
    private static let schemaName = "org.masthead.TokenKey"

    private let library: Handle
    private let cancellable: Handle
    private let unreference: @convention(c) (Handle) -> Void
    private let cancellation: Cancellation?

    /// Loads the library.
    ///
    /// - Throws: ``TokenStoreError/noSecretService(reason:)`` if it is not installed.
    init(_ cancellation: Cancellation?) throws(TokenStoreError) {
        // It starts a thread of its own, so it must never be unloaded.
        let loaded = Self.names.lazy.compactMap { dlopen($0, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) }.first
        guard let loaded else {
            throw .noSecretService(reason: "libsecret is not installed (Debian: libsecret-1-0)")
        }
        let make = try Self.function("g_cancellable_new", of: loaded, as: (@convention(c) () -> Handle?).self)
        let cancel = try Self.function("g_cancellable_cancel", of: loaded, as: (@convention(c) (Handle) -> Void).self)
        let unreference = try Self.function("g_object_unref", of: loaded, as: (@convention(c) (Handle) -> Void).self)
        guard let made = make() else { throw .noSecretService(reason: "GLib does not work") }
        library = loaded
        cancellable = made
        self.unreference = unreference
        self.cancellation = cancellation
        // A pointer is not Sendable; GLib's function may be called from any thread.
        let address = UInt(bitPattern: made)
        cancellation?.onCancel {
            if let made = Handle(bitPattern: address) { cancel(made) }
        }
    }

    deinit {
        cancellation?.onCancel(nil)
        unreference(cancellable)
    }

    /// Does something with it, and gives back what it was made of.
    consuming func run<Result>(
        _ body: (borrowing SecretLibrary) throws(TokenStoreError) -> Result
    ) throws(TokenStoreError) -> Result {
        try body(self)
    }

    // MARK: Secrets

    /// The secret under some attributes; `nil` if there is none.
    func look(for attributes: [String: String]) throws(TokenStoreError) -> [UInt8]? {
        let look = try function(
            "secret_password_lookupv_sync",
            as: (@convention(c) (Handle?, Handle?, Handle?, ErrorPlace) -> UnsafeMutablePointer<CChar>?).self
        )
        let free = try function("secret_password_free", as: (@convention(c) (UnsafeMutablePointer<CChar>) -> Void).self)
        return try withSchema(attributes) { (schema, table) throws(TokenStoreError) in
            var error: Handle?
            let text = look(schema, table, cancellable, &error)
            try check(error)
            guard let text else { return nil }
            // It wipes the memory.
            defer { free(text) }
            return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
    }

    /// What there may be under some attributes.
    enum Presence {
        case none, locked, unlocked
    }

    /// Whether there is a secret under some attributes, though it may be locked; nobody is asked to unlock it.
    func presence(of attributes: [String: String]) throws(TokenStoreError) -> Presence {
        let search = try function(
            "secret_password_searchv_sync",
            as: (@convention(c) (Handle?, Handle?, Int32, Handle?, ErrorPlace) -> Handle?).self
        )
        let free = try function("g_list_free_full", as: (@convention(c) (Handle, Handle?) -> Void).self)
        return try withSchema(attributes) { (schema, table) throws(TokenStoreError) in
            var error: Handle?
            let found = search(schema, table, 0, cancellable, &error)
            try check(error)
            guard let found else { return .none }
            defer { free(found, dlsym(library, "g_object_unref")) }
            return try hasUnlocked(found) ? .unlocked : .locked
        }
    }

    /// Whether one of the items in a list of GLib's is unlocked.
    private func hasUnlocked(_ items: Handle) throws(TokenStoreError) -> Bool {
        let element = try function("g_list_nth_data", as: (@convention(c) (Handle, UInt32) -> Handle?).self)
        let isLocked = try function("secret_item_get_locked", as: (@convention(c) (Handle) -> Int32).self)
        let type = try function("secret_item_get_type", as: (@convention(c) () -> UInt).self)
        let isA = try function("g_type_check_instance_is_a", as: (@convention(c) (Handle, UInt) -> Int32).self)
        var place: UInt32 = 0
        while let item = element(items, place) {
            // What is no item of a service is in a file, which is never locked.
            if isA(item, type()) == 0 || isLocked(item) == 0 { return true }
            place += 1
        }
        return false
    }

    /// Keeps a secret, which ends with a zero, in the place of one that has the same attributes.
    func store(_ secret: inout [UInt8], label: String, under attributes: [String: String]) throws(TokenStoreError) {
        let store = try function(
            "secret_password_storev_sync",
            as: (@convention(c) (Handle?, Handle?, Text?, Text, UnsafeRawPointer, Handle?, ErrorPlace) -> Int32).self
        )
        try withSchema(attributes) { (schema, table) throws(TokenStoreError) in
            var error: Handle?
            let isStored = store(schema, table, nil, label, secret, cancellable, &error)
            try check(error)
            guard isStored != 0 else { throw .noSecretService(reason: "the service did not keep the key") }
        }
    }

    // MARK: GLib

    private func withSchema<Result>(
        _ attributes: [String: String],
        _ body: (_ schema: Handle, _ attributes: Handle) throws(TokenStoreError) -> Result
    ) throws(TokenStoreError) -> Result {
        let make = try function(
            "secret_schema_newv",
            as: (@convention(c) (Text, Int32, Handle) -> Handle?).self
        )
        let free = try function("secret_schema_unref", as: (@convention(c) (Handle) -> Void).self)
        // Each attribute is a string, which is type 0. The schema's name is not matched, which is 2: GNOME Keyring does not
        // know it of what is locked, and would neither find it nor ask the user to unlock it.
        return try withTable(attributes.mapValues { _ in nil }) { (types) throws(TokenStoreError) in
            guard let schema = make(Self.schemaName, 2, types) else { throw .noSecretService(reason: "no schema") }
            defer { free(schema) }
            return try withTable(attributes) { (table) throws(TokenStoreError) in try body(schema, table) }
        }
    }

    /// A table of GLib's with copies of the texts, for the time of a call.
    private func withTable<Result>(
        _ entries: [String: String?],
        _ body: (Handle) throws(TokenStoreError) -> Result
    ) throws(TokenStoreError) -> Result {
        let make = try function("g_hash_table_new", as: (@convention(c) (Handle?, Handle?) -> Handle?).self)
        let insert = try function("g_hash_table_insert", as: (@convention(c) (Handle, Handle?, Handle?) -> Int32).self)
        let free = try function("g_hash_table_unref", as: (@convention(c) (Handle) -> Void).self)
        guard let hash = dlsym(library, "g_str_hash"), let equal = dlsym(library, "g_str_equal"),
            let table = make(hash, equal)
        else { throw .noSecretService(reason: "GLib does not work") }
        var copies: [UnsafeMutablePointer<CChar>?] = []
        defer {
            free(table)
            for copy in copies { Self.release(copy) }
        }
        for (key, value) in entries {
            let key = strdup(key)
            let value = value.flatMap { strdup($0) }
            copies += [key, value]
            _ = insert(table, key, value)
        }
        return try body(table)
    }

    private static func release(_ memory: UnsafeMutablePointer<CChar>?) {
        #if canImport(Glibc)
        Glibc.free(memory)
        #elseif canImport(Musl)
        Musl.free(memory)
        #else
        Darwin.free(memory)
        #endif
    }

    /// Throws what GLib says went wrong, if anything.
    private func check(_ error: Handle?) throws(TokenStoreError) {
        guard let error else { return }
        // Whatever GLib says of it.
        let isCancelled = cancellation?.isCancelled == true
        let free = try function("g_error_free", as: (@convention(c) (Handle) -> Void).self)
        defer { free(error) }
        // Two numbers of four bytes, then the message.
        let message = error.load(fromByteOffset: 8, as: Text?.self).map { String(cString: $0) }
        throw isCancelled ? .cancelled : .noSecretService(reason: message ?? "no reason given")
    }

    private func function<Function>(_ name: String, as type: Function.Type) throws(TokenStoreError) -> Function {
        try Self.function(name, of: library, as: type)
    }

    /// A function of the library's, or of those it is linked to; they are found through it.
    private static func function<Function>(
        _ name: String,
        of library: Handle,
        as type: Function.Type
    ) throws(TokenStoreError) -> Function {
        guard let symbol = dlsym(library, name) else {
            throw .noSecretService(reason: "libsecret has no function \(name)")
        }
        return unsafeBitCast(symbol, to: type)
    }
}
