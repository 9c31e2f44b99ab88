/// Which kinds of things a change touched, or an observer looks at.
struct LibraryMarks: OptionSet, Sendable {
    let rawValue: Int

    static let volumes = LibraryMarks(rawValue: 1)
    static let issues = LibraryMarks(rawValue: 2)
    static let articles = LibraryMarks(rawValue: 4)
    static let assets = LibraryMarks(rawValue: 8)
    static let all: LibraryMarks = [.volumes, .issues, .articles, .assets]
}
