import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// Masthead's decoding of an answer that is there, as a repository does it.
@main
enum BenchJSONOurs {
    static func main() async {
        await SideProcess.runJSON { workload in
            try workload.measure(
                list: { try value(ArticleList.self, of: $0).articles.count },
                fields: { try value([ShownEntry].self, of: $0).count },
                single: { try value(Article.self, of: $0).id.isEmpty ? 0 : 1 }
            )
        }
    }

    private static let url = URL(filePath: "/")

    private static func value<Value: Decodable>(_ type: Value.Type, of body: Data) throws -> Value {
        try HTTPResponse(status: 200, body: body, url: url).decode(type).get()
    }
}
