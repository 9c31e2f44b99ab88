import FoundationEssentials
import MastheadLock
package import MastheadNetworking
package import MastheadPublishing
package import MastheadTesting

/// A publisher's server in memory, with a catalogue that a test changes: it answers as the protocol says.
package final class StubPublisher: Sendable {
    private let state: Lock<StubCatalogue>

    /// Makes a publisher of a catalogue.
    package init(_ catalogue: StubCatalogue = StubCatalogue()) {
        state = Lock(catalogue)
    }

    /// What it has.
    package var catalogue: StubCatalogue { state.withLock { $0 } }

    /// The paths and queries that it was asked for, in order.
    package var targets: [String] { state.withLock { $0.targets } }

    /// Changes what it has; time goes on by a minute.
    package func change(_ body: (inout StubCatalogue) -> Void) {
        state.withLock { catalogue in
            catalogue.now += 60
            body(&catalogue)
        }
    }

    /// Forgets what it was asked for; time goes on by an hour.
    package func pause() {
        state.withLock { catalogue in
            catalogue.targets = []
            catalogue.now += 3600
        }
    }

    /// The repositories of it.
    package func repositories(
        showsPreviews: Bool = false,
        _ configuration: NetworkingConfiguration = NetworkingConfiguration(domainURL: "api.example.org") {
            $0.clientKey = "k3y"
        }
    ) -> Catalogue {
        Catalogue(configuration: configuration, showsPreviews: showsPreviews, executor: executor)
    }

    /// What answers in its place.
    package var executor: StubExecutor {
        StubExecutor { [state] request in
            var path = request.url.path(percentEncoded: false).split(separator: "/").map(String.init)
            // The same catalogue is there a second time.
            if path.first == "v2" { path.removeFirst() }
            let query = request.url.query ?? ""
            return state.withLock { [path] catalogue in
                catalogue.targets.append(path.joined(separator: "/") + (query.isEmpty ? "" : "?\(query)"))
                return catalogue.answer(path, query)
            }
        }
    }
}
