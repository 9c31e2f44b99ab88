// swift-tools-version: 6.2

import PackageDescription

// Measures Masthead against what an app would take instead and against the C library alone. A package of its own, that
// sees the public products only, as an app does.
let package = Package(
    name: "masthead-benchmarks",
    dependencies: [
        .package(name: "masthead", path: "..")
    ],
    targets: [
        // What the sides have in common: the workload, the stop-watch, the result.
        .target(name: "BenchmarkSide"),
        .target(name: "FloorSide"),

        // The sides, each a process of its own.
        .executableTarget(
            name: "bench-ours",
            dependencies: ["BenchmarkSide", .product(name: "MastheadNetworking", package: "masthead")]
        ),
        .executableTarget(name: "bench-peer", dependencies: ["BenchmarkSide"]),
        .executableTarget(name: "bench-floor", dependencies: ["FloorSide"], linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "bench-json-ours",
            dependencies: ["BenchmarkSide", .product(name: "MastheadNetworking", package: "masthead")]
        ),
        .executableTarget(name: "bench-json-peer", dependencies: ["BenchmarkSide"]),
        .executableTarget(
            name: "bench-cache-ours",
            dependencies: ["BenchmarkSide", .product(name: "MastheadNetworking", package: "masthead")]
        ),
        .executableTarget(
            name: "bench-cache-floor",
            dependencies: ["FloorSide"],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("pthread")]
        ),

        // What articles the library's sides keep: made in C, so that they are the same in each.
        .target(name: "LibraryText"),
        .executableTarget(
            name: "bench-library-ours",
            dependencies: [
                "BenchmarkSide", "LibraryText", .product(name: "MastheadNetworking", package: "masthead"),
                .product(name: "MastheadPublishing", package: "masthead"),
            ]
        ),
        .executableTarget(
            name: "bench-library-floor",
            dependencies: ["FloorSide", "LibraryText"],
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("sqlite3"), .linkedLibrary("pthread")]
        ),

        // The driver: servers, rounds, medians.
        .executableTarget(name: "masthead-bench", dependencies: ["BenchmarkSide"]),
    ],
    swiftLanguageModes: [.v6]
)

let plainC = ["FloorSide", "LibraryText", "bench-floor", "bench-cache-floor", "bench-library-floor"]
for target in package.targets where !plainC.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
