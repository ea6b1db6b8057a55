// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "podget",
    products: [
        .executable(name: "podget", targets: ["podget"]),
        .executable(name: "testserver", targets: ["TestServerProgram"]),
        .library(name: "FeedParser", targets: ["FeedParser"]),
        .library(name: "EpisodeStore", targets: ["EpisodeStore"]),
        .library(name: "Downloader", targets: ["Downloader"]),
        .library(name: "Aggregator", targets: ["Aggregator"]),
    ],
    targets: [
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CTag", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
        .systemLibrary(name: "CWideCharacter"),
        .systemLibrary(name: "CSpawn"),

        .target(name: "CTagWriter", dependencies: ["CTag"]),
        .target(name: "FeedParser", dependencies: ["CLibXML2", "CZlib"], swiftSettings: strict),
        .target(name: "EpisodeStore", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(name: "Downloader", dependencies: ["CCurl", "CCrypto"], swiftSettings: strict),
        .target(
            name: "Aggregator",
            dependencies: ["FeedParser", "EpisodeStore", "Downloader", "CSpawn", "CTagWriter"],
            swiftSettings: strict),
        .executableTarget(
            name: "podget",
            dependencies: ["Aggregator", "EpisodeStore", "FeedParser", "CWideCharacter"],
            swiftSettings: strict),

        .target(name: "TestServer", swiftSettings: strict),
        .executableTarget(name: "TestServerProgram", dependencies: ["TestServer"], swiftSettings: strict),
        .executableTarget(
            name: "Campaign", dependencies: ["TestServer"], exclude: ["quota.c"], swiftSettings: strict),

        .testTarget(
            name: "FeedParserTests", dependencies: ["FeedParser", "TestServer"],
            exclude: ["known-differences.md"],
            swiftSettings: strict),
        .testTarget(
            name: "EpisodeStoreTests", dependencies: ["EpisodeStore", "TestServer"], swiftSettings: strict),
        .testTarget(
            name: "DownloaderTests", dependencies: ["Downloader", "TestServer"], swiftSettings: strict),
        .testTarget(
            name: "AggregatorTests",
            dependencies: ["Aggregator", "Downloader", "EpisodeStore", "TestServer"],
            swiftSettings: strict),
        .testTarget(
            name: "podgetTests", dependencies: ["podget", "EpisodeStore", "FeedParser", "TestServer"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
