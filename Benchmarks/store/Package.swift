// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "StoreBenchmark",
    dependencies: [.package(name: "podget", path: "../..")],
    targets: [
        .executableTarget(
            name: "StoreBenchmark",
            dependencies: [.product(name: "EpisodeStore", package: "podget")])
    ],
    swiftLanguageModes: [.v6]
)
