import MastheadNetworking
import MastheadPublishing

/// The README's first look, as a program's top level would run it; it is compiled, and never run.
func firstLook() async {
    // snippet
    let configuration = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2") {
        $0.clientKey = "4f2c9a…"
        $0.onDecodingFailure = { print("\($0.model) at \($0.codingPath): \($0.reason)") }
    }
    let issues = IssueRepository(configuration: configuration)

    switch await issues.issue("64a0c0ffee0000000000b001") {
    case .success(let issue): print("\(issue.title): \(issue.articles.count) articles")
    case .failure(.customError(IssueError.withdrawn)): print("taken back by its publisher")
    case .failure(.noNetworkConnection), .failure(.dns): print("offline")
    case .failure(let error): print("failed: \(error)")
    }
    // end
}
