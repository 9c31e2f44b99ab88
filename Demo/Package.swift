// swift-tools-version: 6.2

import PackageDescription

// What an app's manifest would look like: it depends on Masthead's products and on nothing else of it. libmicrohttpd is
// the publisher's, not the app's.
let package = Package(
    name: "masthead-demo",
    products: [
        .executable(name: "masthead-demo", targets: ["masthead-demo"]),
        .executable(name: "masthead-publisher", targets: ["masthead-publisher"]),
        .executable(name: "masthead-press", targets: ["masthead-press"]),
        .library(name: "CalibreCatalogue", targets: ["CalibreCatalogue"]),
    ],
    dependencies: [
        .package(name: "masthead", path: "..")
    ],
    targets: [
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CDemoZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CDemoCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // The publisher: a server with a magazine, in a process of its own.
        .target(name: "MagazineServer"),
        .executableTarget(
            name: "masthead-publisher",
            dependencies: ["CMicrohttpd", "MagazineServer"],
            resources: [.copy("Resources/Magazine")]
        ),

        // Draws the covers, rings the bell, and sums up what a reader must get.
        .target(name: "Proofreading", dependencies: ["CDemoCrypto"]),
        .executableTarget(name: "masthead-press", dependencies: ["CDemoZlib", "Proofreading"]),

        // The app.
        .target(
            name: "CalibreCatalogue",
            dependencies: [.product(name: "MastheadNetworking", package: "masthead")]
        ),
        .executableTarget(
            name: "masthead-demo",
            dependencies: [
                "CalibreCatalogue", "Proofreading",
                .product(name: "MastheadNetworking", package: "masthead"),
                .product(name: "MastheadPublishing", package: "masthead"),
            ],
            resources: [.embedInCode("Resources/manifest.json")]
        ),

        .testTarget(
            name: "DemoTests",
            dependencies: [
                "CalibreCatalogue", "MagazineServer", "Proofreading", "masthead-demo", "masthead-publisher",
                .product(name: "MastheadNetworking", package: "masthead"),
                .product(name: "MastheadTesting", package: "masthead"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
