import FoundationEssentials
import MastheadNetworking
import MastheadPublishing

/// Keeps a publisher's magazine on the disk, and reads it from there: `masthead-demo sync`, `library` and so on.
struct LibraryCommand: Sendable {
    /// What to do.
    enum Action: Sendable, Hashable {
        /// Bring the library up to date: the only one that needs a server.
        case sync

        /// List the volumes and their issues.
        case contents

        /// List the articles of an issue.
        case issue(Issue.ID)

        /// Show the text of an article.
        case article(Article.ID)

        /// Search the texts.
        case search(String)
    }

    let action: Action
    let options: Options
    let terminal: Terminal

    /// - Returns: The status the process ends with.
    func run() async -> Int32 {
        do throws(Tour.Stop) {
            if action == .sync { return try await sync() }
            guard options.library.isThere else { return sayNothingIsHere() }
            return try await withLibrary { library throws(LibraryError) in try await show(library) }
        } catch {
            guard !Task.isCancelled else {
                terminal.bad("interrupted")
                return 130
            }
            terminal.bad(error.message)
            return 1
        }
    }

    private func show(_ library: Library) async throws(LibraryError) -> Int32 {
        guard try await library.volumes.count() + library.issues.count() > 0 else { return sayNothingIsHere() }
        return switch action {
        case .sync, .contents: try await showContents(of: library)
        case .issue(let id): try await show(issue: id, of: library)
        case .article(let id): try await show(article: id, of: library)
        case .search(let words): try await search(words, in: library)
        }
    }

    /// Opens the library, and closes it whatever comes of it.
    func withLibrary<Output: Sendable>(
        _ catalogue: Catalogue? = nil,
        _ body: (Library) async throws(LibraryError) -> Output
    ) async throws(Tour.Stop) -> Output {
        do throws(LibraryError) {
            let library = try await Library(directory: options.library.url, catalogue: catalogue)
            let outcome: Result<Output, LibraryError>
            do throws(LibraryError) {
                outcome = .success(try await body(library))
            } catch {
                outcome = .failure(error)
            }
            await library.close()
            return try outcome.get()
        } catch {
            throw Tour.Stop(message: error.description)
        }
    }

    private func sayNothingIsHere() -> Int32 {
        terminal.line("nothing here yet: run masthead-demo sync")
        return 1
    }
}
