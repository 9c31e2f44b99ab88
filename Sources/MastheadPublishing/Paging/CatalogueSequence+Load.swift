import FoundationEssentials
import MastheadNetworking

extension CatalogueSequence where Element: CatalogueElement {
    init(_ access: CatalogueAccess, path: RequestPath, limit: Int, problem: RepositoryError? = nil) {
        let limit = limit > 0 ? limit : AbstractRepository.defaultLimit
        pages = CataloguePages(start: PageCursor(limit: limit, problem: problem)) { page, pin in
            let answer: Result<(page: Page<Element>, date: Date?), RepositoryError> =
                switch page {
                case .number(let number):
                    await PageRepository(access)
                        .page(path, query: Parameters(page: number, limit: limit), in: pin)
                case .url(let url): await PageRepository(at: url, access).page("", in: pin)
                }
            return answer.map {
                LoadedPage(items: $0.page.elements, link: Self.link($0.page.next, access), date: $0.date)
            }
        }
    }

    private static func link(_ link: PageLink, _ access: CatalogueAccess) -> PageCursor<Element>.Link {
        switch link {
        case .unknown: return .unknown
        case .last: return .last
        case .url(let text):
            do throws(RepositoryError) {
                return .url(try access.configuration.url(pinnedToOrigin: text))
            } catch {
                return .refused(error)
            }
        }
    }
}
