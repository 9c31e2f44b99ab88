import Foundation
import MastheadNetworking

private func signing(_ key: Secret) -> NetworkingConfiguration {
    // snippet
    let signed = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.signer = HMACSHA256Signer(keyID: "reader-1", key: key, coveredFields: ["Content-Type"])
    }
    // end
    return signed
}

nonisolated private func digest(_ stamp: Secret, _ method: HTTPMethod, _ url: URL, _ body: Data?, _ date: Date)
    -> String
{
    "\(method)\(url)\(body?.count ?? 0)\(date)"
}

// snippet
struct StampSigner: RequestSigner {
    let stamp: Secret

    func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
        ["X-Stamp": digest(stamp, request.method, request.url, request.body?.data, date)]
    }
}
// end
