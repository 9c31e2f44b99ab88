extension Database {
    package func onExternalChange(_ action: @escaping @Sendable () -> Void) {}
    package func quarantine() async throws(DatabaseError) -> String? { nil }
}
