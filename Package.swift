// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "masthead",
    products: [
        .library(name: "MastheadNetworking", targets: ["MastheadNetworking"]),
        .library(name: "MastheadPublishing", targets: ["MastheadPublishing"]),
        .library(name: "MastheadTesting", targets: ["MastheadTesting"]),
    ],
    traits: [
        .trait(name: "Brotli", description: "Bodies coded with brotli; needs libbrotlidec (Debian: libbrotli-dev)"),
        .trait(name: "Zstandard", description: "Bodies coded with zstd; needs libzstd (Debian: libzstd-dev)"),
    ],
    targets: [
        // The C libraries, as the system has them.
        .systemLibrary(name: "CMastheadCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMastheadOpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CMastheadZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CMastheadSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMastheadZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        // Only with their traits.
        .systemLibrary(name: "CMastheadBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CMastheadZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(
            name: "CBrotliEncoder",
            path: "Tests/CBrotliEncoder",
            pkgConfig: "libbrotlienc",
            providers: [.apt(["libbrotli-dev"])]
        ),

        // Wrappers: `package` access, the only importers of their library.
        .target(name: "MastheadLock"),
        .target(name: "MastheadJSON"),
        .target(name: "MastheadCrypto", dependencies: ["CMastheadOpenSSL"]),
        .target(
            name: "MastheadTransport",
            dependencies: [
                "CMastheadCurl", "CMastheadZlib", "MastheadCrypto", "MastheadLock",
                .target(name: "CMastheadBrotli", condition: .when(traits: ["Brotli"])),
                .target(name: "CMastheadZstd", condition: .when(traits: ["Zstandard"])),
            ]
        ),
        .target(name: "MastheadSQLite", dependencies: ["CMastheadSQLite", "MastheadLock"]),

        // What an app sees.
        .target(
            name: "MastheadNetworking",
            dependencies: ["MastheadTransport", "MastheadCrypto", "MastheadSQLite", "MastheadJSON", "MastheadLock"]
        ),
        .target(
            name: "MastheadPublishing",
            dependencies: ["MastheadNetworking", "MastheadSQLite", "MastheadCrypto", "MastheadLock"]
        ),
        .target(name: "MastheadTesting", dependencies: ["MastheadNetworking", "MastheadCrypto", "MastheadLock"]),

        // Servers that only our own tests need.
        .target(
            name: "TestServers",
            dependencies: ["MastheadTesting", "MastheadNetworking", "MastheadLock"],
            path: "Tests/TestServers"
        ),

        // A publisher in memory, with a catalogue that a test changes.
        .target(
            name: "CatalogueKit",
            dependencies: ["MastheadPublishing", "MastheadNetworking", "MastheadTesting", "MastheadLock"],
            path: "Tests/CatalogueKit"
        ),

        // What is killed while it writes, and what it has in common with the test that kills it.
        .target(
            name: "CrashKit",
            dependencies: ["MastheadNetworking", "MastheadSQLite"],
            path: "Tests/CrashKit"
        ),
        .executableTarget(
            name: "CacheWorker",
            dependencies: ["CrashKit", "MastheadNetworking", "MastheadSQLite"],
            path: "Tests/CacheWorker"
        ),

        .executableTarget(
            name: "SyncWorker",
            dependencies: ["CatalogueKit", "CrashKit", "MastheadPublishing"],
            path: "Tests/SyncWorker"
        ),

        .testTarget(name: "MastheadJSONTests", dependencies: ["MastheadJSON"]),
        .testTarget(
            name: "MastheadCryptoTests",
            dependencies: ["CMastheadOpenSSL", "MastheadCrypto", "MastheadLock"]
        ),
        .testTarget(
            name: "MastheadTransportTests",
            dependencies: [
                "CMastheadCurl", "MastheadNetworking", "MastheadTransport", "MastheadTesting", "MastheadCrypto",
                "MastheadLock", "TestServers",
                .target(name: "CBrotliEncoder", condition: .when(traits: ["Brotli"])),
                .target(name: "CMastheadZstd", condition: .when(traits: ["Zstandard"])),
            ]
        ),
        .testTarget(
            name: "MastheadSQLiteTests",
            dependencies: ["CMastheadSQLite", "MastheadLock", "MastheadSQLite"]
        ),
        .testTarget(
            name: "MastheadNetworkingTests",
            dependencies: [
                "MastheadNetworking", "MastheadTransport", "MastheadTesting", "MastheadSQLite", "MastheadCrypto",
                "MastheadJSON", "MastheadLock", "TestServers",
            ]
        ),
        .testTarget(
            name: "MastheadCacheTests",
            dependencies: [
                "CacheWorker", "CrashKit", "MastheadNetworking", "MastheadTesting", "MastheadSQLite", "MastheadCrypto",
                "MastheadLock", "TestServers",
            ]
        ),
        .testTarget(
            name: "MastheadPublishingTests",
            dependencies: [
                "CatalogueKit", "MastheadPublishing", "MastheadNetworking", "MastheadSQLite", "MastheadTesting",
                "MastheadLock",
            ]
        ),
        .testTarget(
            name: "MastheadSyncTests",
            dependencies: [
                "CatalogueKit", "CrashKit", "SyncWorker", "MastheadPublishing", "MastheadNetworking", "MastheadSQLite",
                "MastheadLock",
            ]
        ),
        .testTarget(
            name: "MastheadTestingTests",
            dependencies: ["MastheadTesting", "MastheadNetworking", "MastheadCrypto", "MastheadLock", "TestServers"]
        ),
        .testTarget(
            name: "PublicAPITests",
            dependencies: ["MastheadNetworking", "MastheadPublishing", "MastheadTesting"],
            packageAccess: false
        ),
        .testTarget(
            name: "PeerTests",
            dependencies: ["MastheadNetworking", "MastheadPublishing", "MastheadTesting", "TestServers"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzz targets, for script/soak alone: they need a sanitizer's runtime, and nothing else builds them.
if Context.environment["MASTHEAD_FUZZ"] == "1" {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "MastheadFuzz",
            dependencies: [
                "CLibFuzzer", "CMastheadCurl", "MastheadJSON", "MastheadLock", "MastheadNetworking",
                "MastheadTransport",
            ],
            path: "Fuzz/MastheadFuzz"
        ),
    ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

// The snippets of the documentation must compile where an app isolates to the main actor by default.
for target in package.targets where target.name == "PublicAPITests" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
}
