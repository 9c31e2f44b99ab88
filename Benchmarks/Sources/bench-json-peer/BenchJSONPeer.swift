import BenchmarkSide
import Foundation

/// Foundation's decoder, made once, with its own ISO 8601 dates.
@main
enum BenchJSONPeer {
    static func main() async {
        await SideProcess.runJSON { workload in
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try workload.measure(
                list: { try decoder.decode(ArticleList.self, from: $0).articles.count },
                fields: { try decoder.decode([ShownEntry].self, from: $0).count },
                single: { try decoder.decode(Article.self, from: $0).id.isEmpty ? 0 : 1 }
            )
        }
    }
}
